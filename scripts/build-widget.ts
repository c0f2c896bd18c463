/** Bundles the widget: the loader and the page of a link by themselves, and the elements in chunks that are fetched when they are needed. */
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { squeezeRules } from './squeeze-rules.ts';

/**
 * Two scripts and no more until a person can write or answer: each further one would be a round trip after the one that
 * names it. The rest of what is lazy stays by itself.
 */
const groups = [
  { name: 'widget', tags: ['$initial' as const], priority: 2 },
  { name: 'form', test: /request\/requests\.ts$/, priority: 1 },
];

/** Nearly all of what these two hold runs before the first picture, so it is compiled while it arrives, off the main thread. */
const compiledAtOnce = ({ name }: { name: string }): string =>
  name === 'widget' || name === 'form' ? '//# allFunctionsCalledOnLoad\n' : '';

export async function buildWidget(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  for (const [name, source, format] of [
    ['widget', 'index', 'esm'],
    ['loader', 'loader', 'iife'],
    ['answer', 'answer-page/main', 'esm'],
  ] as const) {
    const bundle = await rolldown({
      input: { [name]: `packages/widget/src/${source}.ts` },
      platform: 'browser',
      logLevel: 'warn',
      plugins: [squeezeRules],
      tsconfig: 'packages/widget/tsconfig.json',
    });
    await bundle.write({
      dir,
      format,
      minify: true,
      // Marks of pure calls help only another bundler, and take 0.2 KB of a form.
      comments: { annotation: false },
      ...(name === 'widget' ? { codeSplitting: { groups }, postBanner: compiledAtOnce } : {}),
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    await bundle.close();
  }
}
