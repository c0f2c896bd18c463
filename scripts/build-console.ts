/** Bundles the console: the page, one sheet, one script, and chunks that are fetched with the pages that need them. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { tokens } from '../packages/widget/src/style/tokens.ts';
import { squeeze, squeezeRules } from './squeeze-rules.ts';

const source = 'packages/console';

/** Two scripts and the page's own until something is shown: each further one would be a round trip after the one that names it. */
const groups = [
  { name: 'console', tags: ['$initial' as const], priority: 2 },
  { name: 'parts', test: /console\/src\/(parts\/|[\w-]+\.ts$)/, priority: 1 },
];

/** Scripts of an earlier build stay: a page that is open asks for them by name. The build of the server begins with none. */
export async function buildConsole(dir: string): Promise<void> {
  const bundle = await rolldown({
    input: { console: `${source}/src/main.tsx` },
    platform: 'browser',
    logLevel: 'warn',
    plugins: [squeezeRules],
    tsconfig: `${source}/tsconfig.json`,
  });
  mkdirSync(dir, { recursive: true });
  await bundle.write({
    dir,
    format: 'esm',
    minify: true,
    codeSplitting: { groups },
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  writeFileSync(`${dir}/console.css`, sheet());
  for (const file of ['index.html', 'icon.svg']) copyFileSync(`${source}/${file}`, `${dir}/${file}`);
}

/** The colours are the widget's own, so that its elements are a part of the page. */
function sheet(): string {
  const [first = ''] = tokens.split('}');
  const colours = [...first.matchAll(/--_[\w-]+: [^;]+;/g)].map(([line]) => line).join('\n');
  const files = readdirSync(`${source}/src/style`).sort();
  const rules = files.map((file) => readFileSync(`${source}/src/style/${file}`, 'utf8'));
  return squeeze([`:root { ${colours} }`, ...rules].join('\n').replaceAll(/\/\*[^*]*\*\//g, '')).trim();
}
