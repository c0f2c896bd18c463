import { expect, test } from 'vitest';
import { turnTopic } from '../operations/context.ts';
import type { EventHead } from '../stores/store.ts';
import { WaitHub } from './waits.ts';

function setUp() {
  let tell: (heads: readonly EventHead[]) => void = () => {};
  const hub = new WaitHub({
    onCommitted(listener) {
      tell = listener;
      return () => {};
    },
  });
  const head: EventHead = { cursor: '1', orgId: 'o', threadId: 't', seq: 1, type: 'interaction.answered' };
  return {
    hub,
    change: (interactionId: string) => tell([{ ...head, interactionId }]),
    happen: (type: EventHead['type'], where: Partial<EventHead> = {}) => tell([{ ...head, type, ...where }]),
  };
}

function waiter() {
  const heard: string[] = [];
  return { heard, change: () => heard.push('change'), end: () => heard.push('end') };
}

test('[W1] a change of the interaction wakes all its waiters, and no other', () => {
  const { hub, change } = setUp();
  const [one, other, third, elsewhere] = [waiter(), waiter(), waiter(), waiter()];
  for (const each of [one, other, third]) hub.add('a', each);
  hub.add('b', elsewhere);
  change('a');
  expect([one.heard, other.heard, third.heard, elsewhere.heard]).toEqual([['change'], ['change'], ['change'], []]);
});

test('[W1] a removed waiter is not called again, also if others remain', () => {
  const { hub, change } = setUp();
  const [one, other] = [waiter(), waiter()];
  hub.add('a', one);
  hub.add('a', other);
  hub.remove('a', one);
  change('a');
  hub.remove('a', other);
  change('a');
  expect([one.heard, other.heard]).toEqual([[], ['change']]);
});

test('[W1] waiters are counted, and a second removal counts nothing', () => {
  const { hub } = setUp();
  const [one, other, lone] = [waiter(), waiter(), waiter()];
  hub.add('a', one);
  hub.add('a', other);
  hub.add('b', lone);
  expect(hub.size()).toBe(3);
  for (const _twice of [1, 2]) {
    hub.remove('a', one);
    hub.remove('b', lone);
  }
  expect(hub.size()).toBe(1);
  hub.remove('a', other);
  expect(hub.size()).toBe(0);
});

test('[W1] a waiter that leaves while it is woken does not keep the others from hearing', () => {
  const { hub, change } = setUp();
  const last = waiter();
  const first = { change: () => hub.remove('a', first), end: () => {} };
  hub.add('a', first);
  hub.add('a', last);
  change('a');
  expect(last.heard).toEqual(['change']);
});

test('[W3] closing ends every wait, also later ones', () => {
  const { hub } = setUp();
  const [one, other, late] = [waiter(), waiter(), waiter()];
  hub.add('a', one);
  hub.add('a', other);
  hub.close();
  hub.add('b', late);
  expect([one.heard, other.heard, late.heard]).toEqual([['end'], ['end'], ['end']]);
});

test('[RU14] a wait for a turn wakes when a run of the thread waits or ends, and for nothing else', () => {
  const { hub, happen } = setUp();
  const [one, elsewhere] = [waiter(), waiter()];
  hub.add(turnTopic('o', 't'), one);
  hub.add(turnTopic('o', 'u'), elsewhere);
  for (const type of ['message.created', 'run.started', 'run.resumed', 'interaction.answered'] as const) happen(type);
  happen('run.waiting', { orgId: 'p' });
  expect(one.heard).toEqual([]);
  for (const type of ['run.waiting', 'run.completed', 'run.failed', 'run.cancelled', 'thread.updated'] as const)
    happen(type);
  expect(one.heard).toHaveLength(5);
  expect(elsewhere.heard).toEqual([]);
});
