/** Bundles the server: one file opens in a third of the time that its thousand modules take. */
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

/** A source with one letter beyond Latin-1 is held in memory with two bytes for each of its letters. */
const asciiOnly = {
  name: 'ascii-only',
  renderChunk: (code: string) => ({ code: code.replaceAll(/[\u0080-\uffff]/g, escaped), map: null }),
};
const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const bundle = await rolldown({
  input: {
    cli: 'packages/server/src/cli.ts',
    writer: 'packages/server/src/stores/sqlite/writer.ts',
    checkpointer: 'packages/server/src/stores/sqlite/checkpointer.ts',
  },
  platform: 'node',
  plugins: [asciiOnly],
  logLevel: 'warn',
});
const dir = 'packages/server/dist';
rmSync(dir, { recursive: true, force: true });
await bundle.write({ dir, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
await bundle.close();
