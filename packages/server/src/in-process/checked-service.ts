/** Every verb without HTTP. Input and output are copied as JSON, so that a call is accepted or rejected as it is over HTTP. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AttachFile,
  defined,
  fail,
  HoldpointError,
  type HoldpointService,
  type Problem,
  type StopSignal,
  type VerbCall,
  type VerbName,
  verbCalls,
  verbSpecs,
  verbTable,
} from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { asFault, tooDeep } from '../http/requests/parse-json.ts';
import { inputCheck } from '../http/requests/read-input.ts';
import { callerService } from '../operations/caller-service.ts';
import { callOf, checkedKey, queryReader } from '../operations/check-input.ts';
import type { Context } from '../operations/context.ts';
import { invalidInput } from '../operations/invalid-input.ts';

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

const checkOf = (verb: VerbName) => inputCheck(verbCalls.find((call) => call.verb === verb) as VerbCall);
const checkUpload = checkOf('uploadFile');
const checkAttach = checkOf('attachFile');
const checkOpen = checkOf('openFile');

function fileVerbs(service: HoldpointService): Pick<HoldpointService, 'uploadFile' | 'attachFile' | 'openFile'> {
  return {
    async uploadFile({ interactionId, field, name, ...sent }) {
      checkUpload({ params: defined({ interactionId }), query: defined({ field, name }), body: {} });
      return givenCopy(await service.uploadFile({ interactionId, field, name, ...checkedContent(sent) }));
    },
    async attachFile({ threadId, messageId, name, ...sent }) {
      checkAttach({ params: defined({ threadId }), query: defined({ messageId, name }), body: {} });
      const input = { threadId, ...defined({ messageId }), name, ...checkedContent(sent) };
      return givenCopy(await service.attachFile(input));
    },
    async openFile({ fileId, from, to }) {
      checkOpen({ params: defined({ fileId }), query: {}, body: {} });
      if (!isSize(from) || !isSize(to)) throw invalidInput([problem('/from', 'from and to must be whole numbers.')]);
      const { file, content } = await service.openFile({ fileId, ...defined({ from, to }) });
      const isPart = from !== undefined || to !== undefined;
      if (isPart && (from ?? 0) >= Math.min(to ?? file.size, file.size))
        fail('range-not-satisfiable', `The file has ${file.size} bytes.`);
      return { file: givenCopy(file), content };
    },
  };
}

type Sent = Pick<AttachFile, 'mime' | 'announcedBytes' | 'content'>;

function checkedContent({ mime = 'application/octet-stream', announcedBytes, content }: Sent): Sent {
  const isPieces = typeof content?.[Symbol.asyncIterator] === 'function';
  const problems: Problem[] = [
    ...(typeof mime === 'string' ? [] : [problem('/mime', 'Give a text.')]),
    ...(isSize(announcedBytes) ? [] : [problem('/announcedBytes', 'Give a whole number.')]),
    ...(isPieces ? [] : [problem('/content', 'Give an iterable of byte arrays.')]),
  ];
  if (problems.length > 0) throw invalidInput(problems);
  return { mime, ...defined({ announcedBytes }), content: onlyBytes(content) };
}

const problem = (pointer: string, message: string): Problem => ({ pointer, code: 'type', message });
const isSize = (value: unknown): boolean => value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0);
async function* onlyBytes(content: AsyncIterable<unknown>): AsyncIterable<Uint8Array> {
  for await (const piece of content) {
    if (!(piece instanceof Uint8Array)) throw invalidInput([problem('/content', 'Each piece must be a byte array.')]);
    yield piece;
  }
}

/** The default limit of a request body. */
const mostBytes = 1_048_576;

/** Copies the input of a caller: dates become texts, undefined is left out, and values that are not JSON are rejected. */
function takenCopy(given: unknown): unknown {
  const text = asJson(given);
  if (Buffer.byteLength(text) > mostBytes) fail('body-too-large', 'The body is larger than this server accepts.');
  const copy: unknown = JSON.parse(text);
  const fault = tooDeep(copy) ?? (/"(__proto__|constructor)"/.test(text) ? prototypeKey(copy) : undefined);
  if (fault) throw fault;
  return copy;
}

/** Copies the output for a caller. */
const givenCopy = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

function asJson(given: unknown): string {
  try {
    return JSON.stringify(given);
  } catch (error) {
    // The further lines of V8 draw the circle of a value that contains itself.
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw asFault(new Error(reason));
  }
}

/** Finds the keys that HTTP rejects too. */
function prototypeKey(value: unknown): Error | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const inner = Object.hasOwn(value, 'constructor') ? (value as { constructor: unknown }).constructor : undefined;
  const isForbidden =
    Object.hasOwn(value, '__proto__') ||
    (typeof inner === 'object' && inner !== null && Object.hasOwn(inner, 'prototype'));
  if (isForbidden) return asFault(new Error('Object contains forbidden prototype property'));
  for (const each of Object.values(value)) {
    const found = prototypeKey(each);
    if (found) return found;
  }
  return undefined;
}

/** Counts the calls of a process, so that the data is not closed under them, and rejects calls after the end. */
export class Calls {
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #onBug: (error: unknown) => void;

  constructor(onBug: (error: unknown) => void) {
    this.#onBug = onBug;
  }

  /** Aborts when the end begins. Its reason is the error of all later calls. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    this.closing.throwIfAborted();
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw this.#known(error);
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when all calls have returned, or after that time. */
  async close(atMostMs: number): Promise<void> {
    this.#closing.abort(new HoldpointError({ code: 'shutting-down', detail: 'This Holdpoint was closed.' }));
    const enough = new AbortController();
    const timeUp = sleep(atMostMs, undefined, { signal: enough.signal }).catch(() => {});
    await Promise.race([Promise.allSettled(this.#running), timeUp]);
    enough.abort();
  }

  /** Converts an unexpected error as HTTP does, but with its cause, because the process belongs to the caller. */
  #known(error: unknown): unknown {
    if (error instanceof HoldpointError) return error;
    this.#onBug(error);
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    return new HoldpointError({ code: 'internal', detail: `Something went wrong: ${reason}` }, { cause: error });
  }
}
