/** Bundles the widget: the loader, the script of the answer page and of the reference, and the elements in chunks that load when they are needed. */
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { squeezeRules } from './squeeze-rules.ts';

/**
 * At most two scripts load before a user can write or answer. Each further script would add a round trip.
 * Everything else that is lazy stays in its own chunk.
 */
const groups = [
  { name: 'widget', tags: ['$initial' as const], priority: 2 },
  { name: 'form', test: /request\/requests\.ts$/, priority: 1 },
];

/** Nearly all code of these two runs before the first frame, so the browser compiles it off the main thread while it arrives. */
const compiledAtOnce = ({ name }: { name: string }): string =>
  name === 'widget' || name === 'form' ? '//# allFunctionsCalledOnLoad\n' : '';

export async function buildWidget(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  for (const [name, source, format] of [
    ['widget', 'index', 'esm'],
    ['loader', 'loader', 'iife'],
    ['answer', 'answer-page/main', 'esm'],
    ['reference', 'reference-page/search', 'esm'],
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
      // Annotations of pure calls help only another bundler and take 0.2 KB of a form.
      comments: { annotation: false },
      ...(name === 'widget' ? { codeSplitting: { groups }, postBanner: compiledAtOnce } : {}),
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    await bundle.close();
  }
}
