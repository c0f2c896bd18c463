import { expect, test } from 'vitest';
import { WorkShare } from './fair-queue.ts';

const share = () => new WorkShare({ share: 0.5, burstMs: 10 });

test('[L21] an org with a share of half the time rests as long as it works', () => {
  const work = share();
  let now = 0;
  let worked = 0;
  while (now < 10_000) {
    now += work.restMs('busy', now) + 2;
    worked += 2;
    work.spend('busy', 2, now);
  }
  expect(worked / now).toBeGreaterThan(0.49);
  expect(worked / now).toBeLessThan(0.51);
});

test('[L21] ordinary use never rests, and no org rests for the work of another', () => {
  const work = share();
  for (let now = 0; now < 10_000; now += 10) {
    expect(work.restMs('calm', now)).toBe(0);
    work.spend('calm', 4, now);
    work.spend('busy', 9, now);
  }
  expect(work.restMs('busy', 10_000)).toBeGreaterThan(0);
  expect(work.restMs('new', 10_000)).toBe(0);
});

test('[L21] thousands of orgs with a full burst are forgotten', () => {
  const work = share();
  for (let org = 0; org < 5_000; org++) work.spend(`o${org}`, 20, org * 100);
  expect(work.size).toBeLessThanOrEqual(1_001);
});
