/** The error when a function no longer fits its journal. It names the calls of both. */
import type { CallType, RecordedCall } from './journal.ts';

const nouns: Record<CallType, string> = {
  say: 'a message',
  ask: 'a question',
  step: 'step',
  sleep: 'a sleep',
  message: 'a wait for a message',
  now: 'a reading of the clock',
  random: 'a random number',
};

const verbs: Record<CallType, string> = {
  say: 'says something',
  ask: 'asks a question',
  step: 'runs step',
  sleep: 'sleeps',
  message: 'waits for a message',
  now: 'reads the clock',
  random: 'draws a random number',
};

export interface MadeCall {
  type: CallType;
  name: string;
}

const named = (words: string, name: string) =>
  name === '' ? words : `${words.replace('a question', 'the question')} "${name}"`;

/**
 * A question without a name is identified by its position and by its kind, which `ask` compares. Journals of earlier
 * versions name such a question by its fields, so names are compared only if both questions have one.
 */
export const isSameCall = (recorded: MadeCall, made: MadeCall): boolean =>
  recorded.type === made.type &&
  (recorded.name === made.name || (made.type === 'ask' && (recorded.name === '' || made.name === '')));

export class JournalMismatch extends Error {
  override name = 'JournalMismatch';
  readonly call: number;

  constructor(call: number, message: string) {
    super(message);
    this.call = call;
  }
}

export function otherCall({ call, type, name }: RecordedCall, made: MadeCall): JournalMismatch {
  const was = named(nouns[type], name);
  const is = named(verbs[made.type], made.name);
  return new JournalMismatch(call, `Call ${call} is ${was} in the journal, but the function now ${is} there.`);
}

export function missingCall({ call, type, name }: RecordedCall, hasEnded: boolean): JournalMismatch {
  const instead = hasEnded ? 'ends without it' : 'does not get there';
  return new JournalMismatch(
    call,
    `Call ${call} is ${named(nouns[type], name)} in the journal, but the function now ${instead}.`,
  );
}
