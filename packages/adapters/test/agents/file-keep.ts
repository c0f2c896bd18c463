/** What an agent keeps in a file: there whole, or as it was before. */
import { readFile, rename, writeFile } from 'node:fs/promises';

export const fileKeep = (file: string) => ({
  load: (): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined),
  async save(text: string): Promise<void> {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  },
});
