/** The client as a page gets it: one script, for browsers, minified. */
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export async function bundle(format: 'esm' | 'iife' = 'esm', entry: 'index' | 'verify' = 'index'): Promise<string> {
  const input = fileURLToPath(new URL(`../src/${entry}.ts`, import.meta.url));
  const built = await rolldown({ input, platform: 'browser', logLevel: 'warn' });
  // Without the notes to bundlers, which the last of them leaves out.
  const { output } = await built.generate({
    format,
    name: entry === 'index' ? 'holdpoint' : entry,
    minify: true,
    comments: false,
  });
  await built.close();
  const [script, ...others] = output;
  if (others.length > 0) throw new Error('the client is one script');
  return script.code;
}
