/** Checks the input of every verb by its schemas, whichever transport brought it, and names every problem. */
import {
  checkShape,
  type HoldpointError,
  idNames,
  limits,
  type Problem,
  type VerbCall,
  type VerbName,
  verbCalls,
  verbSpecs,
} from '@holdpoint/protocol';
import { type TObject, Type } from 'typebox';
import { invalidInput } from './invalid-input.ts';

type Input = Readonly<Record<string, unknown>>;

/** The parts of a request. */
export interface Sent {
  params: unknown;
  query: Record<string, unknown>;
  body: unknown;
}

/** The schemas of a request. A part without a schema takes nothing. */
export interface RequestSchemas {
  method: string;
  params?: TObject;
  query?: TObject;
  body?: TObject;
}

const strict = { additionalProperties: false };
const nothing = Type.Object({}, strict);

/** Every problem of a request, each with a pointer to its part. The body of a GET is ignored. */
export const problemsOf = ({ method, params, query, body }: RequestSchemas, sent: Sent): Problem[] => [
  ...checkShape(params ?? nothing, sent.params, '/path'),
  ...checkShape(query ?? nothing, sent.query, '/query'),
  ...(method === 'GET' ? [] : checkShape(body ?? nothing, sent.body, '')),
];

export function checkedKey(key: unknown): { idempotencyKey?: string } {
  if (key === undefined) return {};
  if (typeof key === 'string' && key.length <= limits.idempotencyKeyLength && /^[\x21-\x7e]+$/.test(key))
    return { idempotencyKey: key };
  const message = `Send at most ${limits.idempotencyKeyLength} printable characters without spaces.`;
  const code = key === '' ? 'min-length' : 'format';
  throw invalidInput([{ pointer: '/headers/idempotency-key', code, message }]);
}

/** Properties of the input that are not sent in the path, the query or the body. */
const unsent = { idempotencyKey: Type.Unknown(), signal: Type.Unknown(), origin: Type.Unknown() };
export const unsentNames = Object.keys(unsent);

/** A call, and the schema of its whole input as one flat object, so that a valid input needs one check. */
interface CheckedCall {
  schemas: VerbCall;
  ids: readonly string[];
  input: TObject;
}

/** In the order in which they are chosen: a call is chosen if the input has all ids of its path. */
type CheckedVerb = readonly CheckedCall[];

function checkedVerb(verb: VerbName, isDialect: boolean): CheckedVerb {
  const { dialectInput } = verbSpecs[verb];
  const calls = verbCalls.filter((call) => call.verb === verb);
  const checked = calls.map((call): CheckedCall => {
    const schemas = isDialect && dialectInput ? { ...call, body: dialectInput } : call;
    const sent = { ...schemas.params.properties, ...(schemas.query ?? schemas.body)?.properties };
    const input = Type.Object({ ...Type.Partial(Type.Object(unsent)).properties, ...sent }, strict);
    return { schemas, ids: idNames(call.path), input };
  });
  return checked.toSorted((one, other) => other.ids.length - one.ids.length);
}

const verbNames = Object.keys(verbSpecs) as VerbName[];
const tableOf = (isDialect: boolean) =>
  Object.fromEntries(verbNames.map((verb) => [verb, checkedVerb(verb, isDialect)])) as Record<VerbName, CheckedVerb>;
const native = tableOf(false);
const translated = tableOf(true);

export const callOf = (verb: VerbName, input: Input, calls: CheckedVerb = native[verb]): CheckedCall =>
  calls.find(({ ids }) => ids.every((id) => input[id] !== undefined)) ?? (calls[0] as CheckedCall);

/**
 * Returns the error of an input that does not fit its verb. Transports check an input with a file before they read the file.
 * A dialect may send more, because its routes write the original request of an interaction.
 */
export function inputError(verb: VerbName, input: Input, isDialect = false): HoldpointError | undefined {
  const { takesFile, givesFile } = verbSpecs[verb];
  if (takesFile || givesFile) return undefined;
  const call = callOf(verb, input, (isDialect ? translated : native)[verb]);
  if (checkShape(call.input, input).length === 0) return undefined;
  const problems = problemsOf(call.schemas, partsOf(call, input));
  return problems.length === 0 ? undefined : invalidInput(problems);
}

/** Without properties that are undefined, which is how a caller in this process leaves one out. */
function partsOf({ schemas: { query, body, inputIn }, ids }: CheckedCall, input: Input): Sent {
  const own = (query ?? body)?.properties ?? {};
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const isSent = (name: string) => !ids.includes(name) && (Object.hasOwn(own, name) || !unsentNames.includes(name));
  const rest = Object.fromEntries(given.filter(([name]) => isSent(name)));
  return {
    params: Object.fromEntries(given.filter(([name]) => ids.includes(name))),
    query: {},
    body: {},
    [inputIn]: rest,
  };
}

/** Reads the numbers of a query. */
export function queryReader(schema: TObject | undefined): (query: Input) => Record<string, unknown> {
  const numbers = Object.entries(schema?.properties ?? {})
    .filter(([, property]) => (property as { type?: unknown }).type === 'integer')
    .map(([name]) => name);
  return (query) => {
    const read = { ...query };
    for (const name of numbers) {
      const value = read[name];
      if (typeof value === 'string' && /^-?\d{1,15}$/.test(value)) read[name] = Number(value);
    }
    return read;
  };
}
