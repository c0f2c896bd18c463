import { expect, test } from 'vitest';
import { problemOfSubject } from '../commit-subject.ts';

test.each([
  'http: refuse empty bodies',
  'stores, delivery: read due times by one index',
  'docs/guides: process one event at a time',
  'tests: focus the slow files',
  'ci: need no network',
  'Merge branch main',
  'Revert "http: refuse empty bodies"',
])('%s is a commit subject', (subject) => {
  expect(problemOfSubject(subject)).toBeUndefined();
});

test.each([
  ['Refuse empty bodies', 'area'],
  ['http refuse empty bodies', 'area'],
  [`http: ${'x'.repeat(67)}`, '73 characters'],
  ['http: refuse empty bodies.', 'full stop'],
  ['http: refuses empty bodies', 'imperative'],
  ['http: refused empty bodies', 'imperative'],
  ['http: adding a route', 'imperative'],
])('%s is not: %s', (subject, reason) => {
  expect(problemOfSubject(subject)).toContain(reason);
});
