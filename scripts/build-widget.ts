/** Bundles the widget: the loader by itself, and the elements in chunks that are fetched when they are needed. */
import { rmSync } from 'node:fs';
import { type Plugin, rolldown } from 'rolldown';

/** Rules are text in the sources, with the spaces that people read them by. */
const squeezeRules: Plugin = {
  name: 'squeeze-rules',
  transform: {
    filter: { id: /widget\/src\/(style\/[\w-]+|loader)\.ts$/ },
    handler: (code) => code.replaceAll(/`\s*:[^`]*`|`\s*[.@*][^`]*`/g, squeeze),
  },
};

const squeeze = (rules: string): string =>
  rules
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: (?=[^{}]*[;}])/g, ':');

export async function buildWidget(dir: string): Promise<void> {
  rmSync(dir, { recursive: true, force: true });
  for (const [name, source, format] of [
    ['widget', 'index', 'esm'],
    ['loader', 'loader', 'iife'],
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
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    });
    await bundle.close();
  }
}
