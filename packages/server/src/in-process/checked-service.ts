/** Every verb without HTTP. Input and output are copied as JSON, so that a call is accepted or rejected as it is over HTTP. */
import { fail, type HoldpointService, type StopSignal, type VerbName, verbSpecs, verbTable } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { callerService } from '../operations/caller-service.ts';
import { callOf, checkedKey, queryReader } from '../operations/check-input.ts';
import type { Context } from '../operations/context.ts';
import type { Calls } from './calls.ts';
import { fileVerbs } from './file-verbs.ts';
import { givenCopy, takenCopy } from './json-copy.ts';

type Input = Readonly<Record<string, unknown>> & { signal?: StopSignal };
type VerbFunction = (input: Input) => Promise<unknown>;

export function checkedService(context: Context, caller: Caller, calls: Calls): HoldpointService {
  const service = callerService(context, caller);
  const call = (verb: VerbFunction) => (input?: Input) => calls.run(() => verb(input ?? {}));
  const plain = (Object.keys(verbTable) as VerbName[]).map((name) => [name, verbOf(name, service)] as const);
  const verbs = [...plain, ...Object.entries(fileVerbs(service))].map(([name, verb]) => [name, call(verb as never)]);
  return Object.fromEntries(verbs) as HoldpointService;
}

function verbOf(name: VerbName, service: HoldpointService): VerbFunction {
  const { waits, takesOrigin } = verbSpecs[name];
  const verb = service[name].bind(service) as (input: object) => Promise<unknown>;
  return async ({ idempotencyKey, signal, ...given }) => {
    const { schemas, ids } = callOf(name, given);
    const isHeader = (key: string) => key === 'origin' && takesOrigin;
    const entries = Object.entries(given).filter(([, value]) => value !== undefined);
    const rest = entries.filter(([key]) => !ids.includes(key) && !isHeader(key));
    const sent =
      schemas.inputIn === 'query'
        ? queryReader(schemas.query)(Object.fromEntries(rest.map(asText)))
        : (takenCopy(Object.fromEntries(rest)) as object);
    const output = await verb({
      ...Object.fromEntries(entries.filter(([key]) => ids.includes(key)).map(asText)),
      ...sent,
      ...Object.fromEntries(entries.filter(([key]) => isHeader(key))),
      ...(schemas.takesKey && checkedKey(idempotencyKey)),
      ...(waits && signal && { signal }),
    });
    // Over HTTP, a caller that goes away receives nothing. A batch is leased to it, so a batch is returned.
    if (schemas.method === 'GET' && signal?.aborted) fail('shutting-down', 'The caller stopped the call.');
    return givenCopy(output);
  };
}

const asText = ([name, value]: [string, unknown]): [string, string] => [name, String(value)];
