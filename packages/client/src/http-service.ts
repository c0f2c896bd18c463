/** Every verb over HTTP, with nothing but fetch: it runs in browsers, workers and Node alike. */
import { type HoldpointService, type StopSignal, type VerbAddress, verbTable } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { ConnectionLost } from './connection-lost.ts';
import { fileVerbs } from './files.ts';
import { linkedStop } from './linked-stop.ts';
import { toRequest } from './request.ts';
import { retried } from './retried.ts';
import { type HttpServiceOptions, httpSend } from './send.ts';

type Input = Readonly<Record<string, unknown>> & { signal?: StopSignal };

/** Beyond the time that the call itself may wait. */
const patienceMs = 60_000;

export function httpService(options: HttpServiceOptions): HoldpointService {
  const send = httpSend(options);
  const { retryForMs: forMs = 10_000 } = options;

  /** A write that was given no key gets one of its own, the same for all tries, where a repeat gives all that the first gave. */
  function call(route: VerbAddress, given: Input): Promise<unknown> {
    const { repeat } = route;
    const input = repeat === 'by-key' ? { ...given, idempotencyKey: given.idempotencyKey ?? newKey() } : given;
    const request = toRequest(route, input);
    const hasKey = repeat !== 'never' && input.idempotencyKey !== undefined;
    const { signal, timeoutMs, waitMs } = input;
    const tryOnce = async () => {
      const stop = linkedStop(signal, patienceMs + Number(timeoutMs ?? waitMs ?? 0));
      try {
        const response = await send({ ...request, signal: stop.signal });
        if (response.status !== 204) return await response.json().catch(brokeOff);
      } finally {
        stop.release();
      }
    };
    return retried(tryOnce, forMs, repeat === 'always' || hasKey, signal);
  }

  const verbs = Object.entries(verbTable).map(([verb, route]) => [verb, (input: Input = {}) => call(route, input)]);
  const service = Object.fromEntries(verbs) as HoldpointService;
  return { ...service, ...fileVerbs(send, forMs, service.getFile) };
}

function brokeOff(cause: unknown): never {
  throw new ConnectionLost('The answer broke off.', {}, { cause });
}
