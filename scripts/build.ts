/** Bundles the server: one file opens in a third of the time that its thousand modules take. */
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: {
    cli: 'packages/server/src/cli.ts',
    writer: 'packages/server/src/stores/sqlite/writer.ts',
    checkpointer: 'packages/server/src/stores/sqlite/checkpointer.ts',
  },
  platform: 'node',
  logLevel: 'warn',
});
const dir = 'packages/server/dist';
rmSync(dir, { recursive: true, force: true });
await bundle.write({ dir, format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
await bundle.close();
