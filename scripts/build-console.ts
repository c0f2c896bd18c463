/** Bundles the console: one HTML page, one style sheet, one script, and chunks for the pages that need them. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { tokens } from '../packages/widget/src/style/tokens.ts';
import { squeeze, squeezeRules } from './squeeze-rules.ts';

const source = 'packages/console';

/** At most three scripts load before the first content. Each further script would add a round trip. */
const groups = [
  { name: 'console', tags: ['$initial' as const], priority: 2 },
  { name: 'parts', test: /console\/src\/(parts\/|[\w-]+\.ts$)/, priority: 1 },
];

/** Keeps scripts of earlier builds, because an open page requests them by name. The build of the server starts empty. */
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

/** Uses the colours of the widget, so that its elements match the page. */
function sheet(): string {
  const [first = ''] = tokens.split('}');
  const colours = [...first.matchAll(/--_[\w-]+: [^;]+;/g)].map(([line]) => line).join('\n');
  const files = readdirSync(`${source}/src/style`).sort();
  const rules = files.map((file) => readFileSync(`${source}/src/style/${file}`, 'utf8'));
  return squeeze([`:root { ${colours} }`, ...rules].join('\n').replaceAll(/\/\*[^*]*\*\//g, '')).trim();
}
