/** The programs of the guide, by their names. */
import { readFileSync } from 'node:fs';

const guide = readFileSync(new URL('../../../docs/guides/adapters.md', import.meta.url), 'utf8');

export const guidePrograms = new Map(
  [...guide.matchAll(/```ts\n\/\/ (\S+)\.ts\n(.*?)```/gs)].map(([, name = '', source = '']) => [name, source]),
);
