/** Every link between our documents leads to a file, and to a heading if it names one. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const files = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md', 'benchmarks/*.md'], {
  exclude: ['**/node_modules/**'],
});
const withoutCode = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** As GitHub makes them. */
const anchorsOf = (file: string): string[] =>
  [...withoutCode(readFileSync(file, 'utf8')).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(files)('%s', (file) => {
  const links = [...withoutCode(readFileSync(file, 'utf8')).matchAll(/\]\((?!\w+:)([^)\s]+)\)/g)].map(
    ([, to = '']) => to,
  );
  const broken = links.filter((to) => {
    const [path = '', anchor] = to.split('#');
    const target = path === '' ? file : join(dirname(file), decodeURIComponent(path));
    if (!existsSync(target)) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});
