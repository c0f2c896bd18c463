/** The names of the stories: one in each folder. */
import { readdirSync } from 'node:fs';

export const stories = (): string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name);
