/** The text of a file, or of standard input, without the end of line that editors put there. */
import { readFileSync } from 'node:fs';

export const readTextFile = (path: string): string =>
  readFileSync(path === '-' ? 0 : path, 'utf8').replace(/\r?\n$/, '');
