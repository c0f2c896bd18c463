import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Claim, Store } from '../stores/store.ts';
import { Leases, leaseMs } from './leases.ts';

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

type Due = Omit<Parameters<Store['claimDue']>[0], 'kind'>;

/** Timers in memory with the store's promises: one claim at a time, which a moved timer ends. */
class Timers {
  readonly dueAt = new Map<string, number>();
  readonly claims = new Map<string, number>();
  isAway = false;
  onCommitted = () => () => {};

  async claimDue({ now, limit, forMs, longestMs = Number.POSITIVE_INFINITY }: Due): Promise<Claim[]> {
    if (this.isAway) throw new Error('the store is unavailable');
    const due = [...this.dueAt].filter(([id, dueAt]) => {
      const at = this.claims.get(id) ?? dueAt;
      return at <= now || at > now + longestMs;
    });
    return due.slice(0, limit).map(([id]) => {
      this.claims.set(id, now + forMs);
      return { kind: 'webhook', orgId: 'o', id, until: now + forMs };
    });
  }

  async moveClaims({ claims, until }: { claims: readonly Claim[]; until: number }): Promise<Claim[]> {
    if (this.isAway) throw new Error('the store is unavailable');
    const held = claims.filter((claim) => this.claims.get(claim.id) === claim.until);
    for (const { id } of held) this.claims.set(id, until);
    return held.map((claim) => ({ ...claim, until }));
  }

  move(id: string, at: number | undefined): void {
    this.claims.delete(id);
    if (at === undefined) this.dueAt.delete(id);
    else this.dueAt.set(id, at);
  }
}

function node(timers: Timers, { stopping = async () => {} }: { stopping?: () => Promise<void> } = {}) {
  const begun: string[] = [];
  const doing = new Set<string>();
  const errors: unknown[] = [];
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const leases = new Leases({
    store: timers,
    clock,
    kind: 'webhook',
    begin({ id }) {
      if (doing.has(id)) throw new Error(`${id} was still being done`);
      begun.push(id);
      doing.add(id);
      return {
        notice() {},
        async stop() {
          await stopping();
          doing.delete(id);
        },
      };
    },
    onError: (error) => errors.push(error),
  });
  return { leases, begun, doing, errors, clock };
}

test('[N6] one node holds each lease, and keeps it for as long as it lives', async () => {
  const timers = new Timers();
  for (let id = 0; id < 250; id++) timers.move(`w${id}`, 0);
  const [a, b] = [node(timers), node(timers)];
  await vi.advanceTimersByTimeAsync(60_000);
  expect([...a.begun, ...b.begun].sort()).toEqual([...timers.dueAt.keys()].sort());
  expect(a.doing.size + b.doing.size).toBe(250);
});

test('[N6] the leases of a node that dies fall to another when its claims end, not before', async () => {
  const timers = new Timers();
  timers.move('w', 0);
  await timers.claimDue({ now: Date.now(), limit: 1, forMs: leaseMs });
  const { doing } = node(timers);
  await vi.advanceTimersByTimeAsync(leaseMs - 1_001);
  expect(doing.size).toBe(0);
  await vi.advanceTimersByTimeAsync(2_001);
  expect([...doing]).toEqual(['w']);
});

test('[N6] a lease whose timer was removed stops within three seconds, and begins again when the timer is back', async () => {
  const timers = new Timers();
  timers.move('w', 0);
  const { leases, begun, doing } = node(timers);
  await vi.advanceTimersByTimeAsync(10);
  timers.move('w', undefined);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(doing.size).toBe(0);
  timers.move('w', 0);
  leases.look();
  await vi.advanceTimersByTimeAsync(1);
  expect(begun).toEqual(['w', 'w']);
});

test('[N6] a timer that was moved under a lease ends it before the next turn begins, however long its end takes', async () => {
  const timers = new Timers();
  timers.move('w', 0);
  const { leases, begun, doing, errors } = node(timers, {
    stopping: () => new Promise((resolve) => setTimeout(resolve, 2_500)),
  });
  await vi.advanceTimersByTimeAsync(10);
  timers.move('w', 0);
  leases.look();
  await vi.advanceTimersByTimeAsync(2_400);
  expect(begun).toEqual(['w']);
  await vi.advanceTimersByTimeAsync(200);
  expect(begun).toEqual(['w', 'w']);
  expect(doing.size).toBe(1);
  expect(errors).toEqual([]);
});

test('[N4][N6] while the store is unavailable a lease is held until its claim ends, and is taken again afterwards', async () => {
  const timers = new Timers();
  timers.move('w', 0);
  const { begun, doing, errors } = node(timers);
  await vi.advanceTimersByTimeAsync(100);
  timers.isAway = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(doing.size).toBe(1);
  await vi.advanceTimersByTimeAsync(leaseMs);
  expect(doing.size).toBe(0);
  expect(errors.length).toBeGreaterThan(3);
  timers.isAway = false;
  await vi.advanceTimersByTimeAsync(leaseMs);
  expect(begun).toEqual(['w', 'w']);
});

test('[N6] a clock that jumps does not cost a node its leases', async () => {
  const timers = new Timers();
  timers.move('w', 0);
  const { begun, clock } = node(timers);
  await vi.advanceTimersByTimeAsync(100);
  for (const jump of [86_400_000, -86_400_000]) {
    clock.offsetMs += jump;
    await vi.advanceTimersByTimeAsync(10_000);
  }
  expect(begun).toEqual(['w']);
});

test('[X42] another node gets the leases at once of a dead node whose clock was two hours ahead', async () => {
  const timers = new Timers();
  const hour = 3_600_000;
  timers.move('held', 0);
  timers.move('made', Date.now() + 2 * hour);
  timers.claims.set('held', Date.now() + 2 * hour + leaseMs);
  const { doing } = node(timers);
  await vi.advanceTimersByTimeAsync(1);
  expect([...doing].sort()).toEqual(['held', 'made']);
});

test('[N6] the claims of a node whose clock is a minute ahead are its own', async () => {
  const timers = new Timers();
  timers.move('w', 0);
  const ahead = node(timers);
  ahead.clock.offsetMs = 60_000;
  await vi.advanceTimersByTimeAsync(3_000);
  const { doing } = node(timers);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([ahead.doing.size, doing.size]).toEqual([1, 0]);
});

test('[H7] stopping waits for running jobs, then gives the claims back at once', async () => {
  const timers = new Timers();
  timers.move('w', 0);
  const ended = Promise.withResolvers<void>();
  const first = node(timers, { stopping: () => ended.promise });
  await vi.advanceTimersByTimeAsync(100);
  const second = node(timers);
  const stopping = first.leases.stop();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(second.doing.size).toBe(0);
  ended.resolve();
  await stopping;
  second.leases.look();
  await vi.advanceTimersByTimeAsync(1);
  expect([...second.doing]).toEqual(['w']);
});

test('[N6] leases that stop slowly delay no other lease, and begin again when they have stopped', async () => {
  const timers = new Timers();
  for (const id of ['a', 'b', 'c', 'd', 'other']) timers.move(id, 0);
  const { begun, doing, errors } = node(timers, {
    stopping: () => new Promise((resolve) => setTimeout(resolve, 3_000)),
  });
  await vi.advanceTimersByTimeAsync(1);
  for (const id of ['a', 'b', 'c', 'd']) timers.move(id, 0);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(begun.toSorted()).toEqual(['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'other']);
  expect(doing.size).toBe(5);
  expect(errors).toEqual([]);
});
