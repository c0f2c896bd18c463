/** What the compiler knows of an answer. */
import { describe, expectTypeOf, test } from 'vitest';
import {
  approval,
  checkbox,
  choice,
  form,
  type Holdpoint,
  input,
  type LogEvent,
  number,
  outcomeOf,
  select,
  type Thread,
} from '../src/index.ts';

declare const hp: Holdpoint;
declare const thread: Thread;
const release = form({ env: select(['staging', 'production']), notify: checkbox() });

/** Nothing of this is run: it is there to be checked. */
async function typed() {
  const outcome = await hp.ask(thread, release);
  expectTypeOf(outcome.status).toEqualTypeOf<'answered' | 'declined' | 'expired' | 'cancelled'>();
  if (outcome.status === 'answered') {
    expectTypeOf(outcome.values).toEqualTypeOf<{ env: 'staging' | 'production'; notify?: boolean }>();
    expectTypeOf(outcome.values.env).toEqualTypeOf<'staging' | 'production'>();
  }
  if (outcome.status === 'declined') expectTypeOf(outcome.reason).toEqualTypeOf<string | undefined>();
  // @ts-expect-error: only what was answered has values.
  outcome.values;

  const bounded = await hp.ask(thread, choice(['yes', 'no']), { timeoutMs: 1_000 });
  expectTypeOf(bounded.status).toEqualTypeOf<'answered' | 'declined' | 'expired' | 'cancelled' | 'pending'>();
  if (bounded.status === 'answered') expectTypeOf(bounded.values.choice).toEqualTypeOf<'yes' | 'no'>();

  const plain = await hp.ask('thread_1', { title: 'Who?' });
  if (plain.status === 'answered') expectTypeOf(plain.values).toEqualTypeOf<Record<string, unknown>>();

  const rollout = await hp.approve(thread, { title: 'Go?', arguments: { percent: 25, notes: 'slow' } });
  expectTypeOf(rollout.arguments).toEqualTypeOf<{ percent?: number; notes?: string }>();
  const unknown = await hp.approve(thread, { title: 'Go?' });
  expectTypeOf(unknown.arguments.whatever).toEqualTypeOf<unknown>();

  const named = await hp.ask('thread_1', input(number(), { name: 'percent' }));
  if (named.status === 'answered') expectTypeOf(named.values).toEqualTypeOf<{ percent: number }>();

  const decided = await hp.ask('thread_1', approval({ fields: { percent: number() } }));
  if (decided.status === 'answered')
    expectTypeOf(decided.values).toEqualTypeOf<{ decision: 'allow' | 'deny'; percent?: number }>();
  expectTypeOf((await hp.approve('thread_1', { title: 'Refund?' })).approved).toEqualTypeOf<boolean>();

  for await (const event of hp.events()) expectTypeOf(event).toEqualTypeOf<LogEvent>();
  for await (const event of hp.every('readLog', { threadId: 't' })) expectTypeOf(event).toEqualTypeOf<LogEvent>();
  // @ts-expect-error: a log is of a thread.
  hp.every('readLog');
  // @ts-expect-error: it finds its own way from page to page.
  hp.every('listThreads', { cursor: 'x' });
  // @ts-expect-error: one thread is no list.
  hp.every('getThread', { threadId: 't' });
  return outcomeOf;
}

describe('[CL5] the types of what is asked', () => {
  test('are those of its fields', () => expectTypeOf(typed).toBeFunction());
});
