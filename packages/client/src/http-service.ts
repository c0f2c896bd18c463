/** Calls every verb over HTTP with fetch alone, so it runs in browsers, workers and Node. */
import { type HoldpointService, type StopSignal, type VerbAddress, verbTable } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { ConnectionLost, retried } from './failures.ts';
import { fileVerbs } from './files.ts';
import { linkedStop } from './linked-stop.ts';
import { type HttpServiceOptions, httpSend, toRequest } from './request.ts';

type Input = Readonly<Record<string, unknown>> & { signal?: StopSignal };

/** The longest time for an answer, in addition to the time that the call itself waits. */
const patienceMs = 60_000;

export function httpService(options: HttpServiceOptions): HoldpointService {
  const send = httpSend(options);
  const { retryForMs: forMs = 10_000 } = options;

  /** Makes an idempotency key for a write without one, if a repeat returns everything that the first call returned. */
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
        if (response.status === 204) return;
        return await response.json().catch((cause: unknown) => {
          throw new ConnectionLost('The answer broke off.', {}, { cause });
        });
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
