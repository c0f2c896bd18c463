/** Widgets of others from npm, bundled and minified for a page, without the parts that they fetch later. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, rolldown } from 'rolldown';

export interface OtherSize {
  name: string;
  packages: readonly string[];
  /** Missing if the package could not be installed. */
  bytes?: number;
  fault?: string;
}

interface Other {
  name: string;
  packages: readonly string[];
  /** The code that a page needs. */
  entry: string;
}

const others: readonly Other[] = [
  { name: 'Typebot', packages: ['@typebot.io/js@0.10.7'], entry: "import '@typebot.io/js/web';" },
  { name: 'deep-chat', packages: ['deep-chat@2.4.2'], entry: "import 'deep-chat';" },
  {
    name: 'Adaptive Cards',
    packages: ['adaptivecards@3.0.6'],
    entry: `import { AdaptiveCard } from 'adaptivecards';
      globalThis.show = (json) => { const card = new AdaptiveCard(); card.parse(json); document.body.append(card.render()); };`,
  },
  {
    name: 'rjsf with Ajv and React',
    packages: [
      '@rjsf/core@6.11.0',
      '@rjsf/utils@6.11.0',
      '@rjsf/validator-ajv8@6.11.0',
      'react@19.3.1',
      'react-dom@19.3.1',
    ],
    entry: `import Form from '@rjsf/core'; import validator from '@rjsf/validator-ajv8';
      import { createElement } from 'react'; import { createRoot } from 'react-dom/client';
      globalThis.show = (schema) => createRoot(document.body).render(createElement(Form, { schema, validator }));`,
  },
];

export async function measureOthers(): Promise<OtherSize[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-others-'));
  try {
    const sizes: OtherSize[] = [];
    for (const [index, other] of others.entries()) sizes.push(await measure(other, join(folder, String(index))));
    return sizes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ name, packages, entry }: Other, folder: string): Promise<OtherSize> {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const flags = ['install', '-E', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    execFileSync('npm', [...flags, ...packages], { cwd: folder, stdio: 'pipe', timeout: 120_000 });
    writeFileSync(join(folder, 'entry.js'), entry);
    return { name, packages, bytes: await bundledBytes(folder) };
  } catch (error) {
    return { name, packages, fault: String((error as Error).message).split('\n', 1)[0] ?? '' };
  }
}

/** Size of the entry and its static imports. Later imports are not counted, for ours neither. */
async function bundledBytes(folder: string): Promise<number> {
  const bundle = await rolldown({
    input: join(folder, 'entry.js'),
    cwd: folder,
    platform: 'browser',
    logLevel: 'silent',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const chunks = new Map(
    output.flatMap((one): [string, OutputChunk][] => (one.type === 'chunk' ? [[one.fileName, one]] : [])),
  );
  const needed = new Set(output.flatMap((one) => (one.type === 'chunk' && one.isEntry ? [one.fileName] : [])));
  for (const fileName of needed) for (const imported of chunks.get(fileName)?.imports ?? []) needed.add(imported);
  const missing = [...needed].filter((fileName) => !chunks.has(fileName));
  if (missing.length > 0) throw new Error(`the bundle lacks ${missing.join(', ')}`);
  return [...needed].reduce((sum, name) => sum + gzipSync(chunks.get(name)?.code ?? '', { level: 9 }).length, 0);
}
