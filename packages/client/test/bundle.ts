/** The client as a page gets it: one script, for browsers, minified. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const entry = fileURLToPath(new URL('../src/index.ts', import.meta.url));

export async function bundle(format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const built = await rolldown({ input: entry, platform: 'browser', logLevel: 'warn' });
  // Without the notes to bundlers, which the last of them leaves out.
  const { output } = await built.generate({ format, name: 'holdpoint', minify: true, comments: false });
  await built.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error('the client is one script');
  return script.code;
}
