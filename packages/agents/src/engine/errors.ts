/** Errors that end an execution, and errors as the journal keeps them. */
import { defined, errorTable, HoldpointError, type JournalEntry, limits, type RunError } from '@holdpoint/protocol';

/** The service cannot be reached or rejects the worker. Another attempt may help, and the agent is not to blame. */
export class Away extends Error {
  override name = 'Away';
}

/** Another worker has advanced the run, or the run was ended. */
export class Superseded extends Error {
  override name = 'Superseded';
}

/** The journal rejects an entry, such as one too many. */
export class JournalRefused extends Error {
  override name = 'JournalRefused';
}

/** Calls the service for the engine. An error that the agent caused is thrown as it is. */
export async function reach<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isRefusal(error)) throw error;
    throw new Away(messageOf(error), { cause: error });
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function isRefusal(error: unknown): error is HoldpointError {
  if (!(error instanceof HoldpointError)) return false;
  const { status, retryable } = { ...errorTable[error.code], ...error.fault };
  return status < 500 && !retryable && error.code !== 'unauthenticated' && error.code !== 'forbidden';
}

/** An error as the journal keeps it. A replay throws it again. */
export type KeptError = Pick<Error, 'name' | 'message'>;

/** The rest is room for the other properties. */
const maxMessage = limits.reasonLength - 100;

export function keepError(error: unknown): KeptError {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name: cut(name, limits.idLength), message: cut(message, maxMessage) };
}

/** The cause is for logs. A replay has none. */
export function throwable(kept: unknown, cause?: unknown): Error {
  const { name, message } = kept as KeptError;
  const error = new Error(message, cause === undefined ? {} : { cause });
  error.name = name;
  return error;
}

/** `failedCall` is the call that threw the error, if one did. */
export function runError(error: unknown, failedCall?: number): RunError {
  const { name, message } = keepError(error);
  const isMismatch = error instanceof JournalMismatch;
  const call = isMismatch ? error.call : failedCall;
  const code = isMismatch ? 'journal-mismatch' : 'failed';
  return { code, message: message || name || 'It failed.', ...defined({ call }) };
}

/** Cuts between characters, never within one. */
function cut(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * length)];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('');
}

export type CallType = JournalEntry['type'];

/** Each call as a noun and as a verb. */
const words: Record<CallType, readonly [noun: string, verb: string]> = {
  say: ['a message', 'says something'],
  ask: ['a question', 'asks a question'],
  step: ['step', 'runs step'],
  sleep: ['a sleep', 'sleeps'],
  message: ['a wait for a message', 'waits for a message'],
  now: ['a reading of the clock', 'reads the clock'],
  random: ['a random number', 'draws a random number'],
};

type MadeCall = Pick<JournalEntry, 'type' | 'name'>;
type RecordedCall = Pick<JournalEntry, 'type' | 'name' | 'call'>;

const named = (text: string, name: string) =>
  name === '' ? text : `${text.replace('a question', 'the question')} "${name}"`;

/**
 * A question without a name is identified by its position and by its kind, which `ask` compares. Journals of earlier
 * versions name such a question by its fields, so names are compared only if both questions have one.
 */
export const isSameCall = (recorded: MadeCall, made: MadeCall): boolean =>
  recorded.type === made.type &&
  (recorded.name === made.name || (made.type === 'ask' && (recorded.name === '' || made.name === '')));

/** The function no longer fits its journal. The message names the calls of both. */
export class JournalMismatch extends Error {
  override name = 'JournalMismatch';
  readonly call: number;

  constructor(call: number, was: string, is: string) {
    super(`Call ${call} is ${was} in the journal, but the function now ${is}.`);
    this.call = call;
  }
}

export const otherCall = ({ call, type, name }: RecordedCall, made: MadeCall): JournalMismatch =>
  new JournalMismatch(call, named(words[type][0], name), `${named(words[made.type][1], made.name)} there`);

export const missingCall = ({ call, type, name }: RecordedCall, hasEnded: boolean): JournalMismatch =>
  new JournalMismatch(call, named(words[type][0], name), hasEnded ? 'ends without it' : 'does not get there');
