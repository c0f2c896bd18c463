/** Bundles the server: one file opens in a third of the time that its thousand modules take. */
import { rolldown } from 'rolldown';

const bundle = await rolldown({
  input: {
    cli: 'packages/server/src/cli.ts',
    writer: 'packages/server/src/stores/sqlite/writer.ts',
  },
  platform: 'node',
  logLevel: 'warn',
});
await bundle.write({ dir: 'packages/server/dist', format: 'esm', sourcemap: true, entryFileNames: '[name].js' });
await bundle.close();
