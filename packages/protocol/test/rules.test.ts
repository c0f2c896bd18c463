/** The protocol is the source of truth: no rule without a test, no test that cites a rule nobody wrote. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: ['**/node_modules/**'] }).map((file) => ({
    file,
    text: readFileSync(root + file, 'utf8'),
  }));

const rules = ['docs/protocol.md', 'docs/behaviour/*.md']
  .flatMap(read)
  .flatMap(({ text }) => [...text.matchAll(/^- \*\*([A-Z]{1,2}\d+)\*\* /gm)].map(([, id]) => id ?? ''));

/** The ids a test's name begins with, such as `[AN4] the first valid answer wins` or `[D1][D5] …`. */
const cited = [
  'packages/**/*.test.ts',
  'packages/**/*.contract.ts',
  'examples/*.test.ts',
  'packages/**/*.suite.ts',
  'scripts/test/*.test.ts',
]
  .flatMap(read)
  .flatMap(({ file, text }) =>
    [...text.matchAll(/['"`]((?:\[[A-Z]{1,2}\d+(?:, ?[A-Z]{1,2}\d+)*\] ?)+)/g)].flatMap(([, ids = '']) =>
      [...ids.matchAll(/[A-Z]+\d+/g)].map(([id]) => ({ id, file })),
    ),
  );

test('rule ids are unique', () => {
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((id, index) => rules.indexOf(id) !== index)).toEqual([]);
});

test('every rule is cited by a test', () => {
  const ids = new Set(cited.map(({ id }) => id));
  expect(rules.filter((id) => !ids.has(id))).toEqual([]);
});

test('every rule that a test cites exists', () => {
  expect(cited.filter(({ id }) => !rules.includes(id))).toEqual([]);
});
