/** The walks of decision 0051 lead through files that exist, each once. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const page = readFileSync('docs/decisions/0051-plain-words-and-fewer-files.md', 'utf8');
const walks = page.split('\n### ').slice(1);

describe('walks', () => {
  test('the page has four', () => expect(walks).toHaveLength(4));

  test.each(walks.map((walk) => [walk.split('\n', 1)[0], walk]))('%s', (_title, walk) => {
    const files = [...walk.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter((file) => !existsSync(`packages/${file}`))).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
  });
});
