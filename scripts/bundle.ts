/** Bundles entries for Node into one folder. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';

const server = 'packages/server';

export const serverEntries = {
  cli: `${server}/src/cli.ts`,
  writer: `${server}/src/stores/sqlite/writer.ts`,
  checkpointer: `${server}/src/stores/sqlite/checkpointer.ts`,
  reader: `${server}/src/stores/sqlite/reader.ts`,
};

/** Returns the names of the packages that the bundle imports and does not contain. */
export async function bundle(input: InputOptions, output: OutputOptions & { dir: string }): Promise<Set<string>> {
  const made = await rolldown({ platform: 'node', logLevel: 'warn', ...input });
  const { output: files } = await made.write({ format: 'esm', entryFileNames: '[name].js', ...output });
  await made.close();
  const own = new Set(files.map(({ fileName }) => fileName));
  const imported = new Set<string>();
  for (const file of files) {
    if (file.type !== 'chunk') continue;
    toAscii(`${output.dir}/${file.fileName}`);
    for (const name of [...file.imports, ...file.dynamicImports]) if (!own.has(name)) imported.add(name);
  }
  return imported;
}

/**
 * Escapes letters beyond Latin-1: one such letter makes Node hold the whole source with two bytes per letter. Runs on
 * the written file, because the bundler prints escaped letters of a plugin as letters again.
 */
function toAscii(path: string): void {
  const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/[\u0080-\uffff]/g, escaped));
}
