import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const commandsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^(?:\s*- run: )?(npm (?:ci|test|run (?:gates|coverage)))$/gm)].map(
    ([, command = '']) => command,
  );

test('the workflow runs the steps of .ci/run, in the same order', () => {
  expect(commandsOf('.ci/run')).toEqual(['npm ci', 'npm run gates', 'npm run coverage', 'npm test']);
  expect(commandsOf('.github/workflows/ci.yml')).toEqual(commandsOf('.ci/run'));
});
