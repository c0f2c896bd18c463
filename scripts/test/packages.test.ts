/** The published packages, installed from their tarballs into an empty folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PeerVersion, versions } from '../../packages/adapters/test/peers/peer-versions.ts';
import { type Manifest, published, readManifest } from '../pack/published.ts';
import { packAll } from '../pack.ts';
import { Consumer } from './consumer.ts';
import { commandsOf, readmeBlocks } from './readme-blocks.ts';

const place = 'build/test-packages';
let tarballs = new Map<string, string>();
let consumer: Consumer;

// Building and installing may take minutes on a busy machine.
const patienceMs = 900_000;

beforeAll(async () => {
  tarballs = await packAll(place);
  consumer = new Consumer();
  await consumer.install([...tarballs.values()]);
}, patienceMs);
afterAll(() => consumer?.remove());

const folders = readdirSync('packages').filter((folder) => !readManifest(folder).private);
const internal = /^(holdpoint$|@holdpoint\/)/;
const isInternal = ([name]: [string, string]): boolean => internal.test(name);

describe('[PA1] one version for all packages', () => {
  test.each(readdirSync('packages'))('%s has it, and what it needs of the others', (folder) => {
    const { version } = readManifest('protocol');
    const manifest = readManifest(folder);
    expect(manifest.version).toBe(version);
    const needed = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(isInternal);
    for (const [name, wanted] of needed) expect(`${name}@${wanted}`).toBe(`${name}@${version}`);
  });
});

describe('[PA2] what is published', () => {
  test('is every package that is not private, and nothing that is', () => {
    expect(
      published()
        .map(({ folder }) => folder)
        .sort(),
    ).toEqual(folders.sort());
    const names = new Set(tarballs.keys());
    for (const folder of folders) {
      const packed = JSON.parse(readFileSync(`${place}/${folder}/package.json`, 'utf8')) as Manifest;
      const needed = Object.entries(packed.dependencies ?? {}).filter(isInternal);
      for (const [name] of needed) expect(names).toContain(name);
      expect(packed.devDependencies).toBeUndefined();
    }
  });

  test.each(folders)('%s has scripts and types, no sources, its licence, and words about itself', (folder) => {
    const files = readdirSync(`${place}/${folder}`, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']));
    expect(files.filter((file) => /(?<!\.d)\.tsx?$/.test(file))).toEqual([]);
  });

  test.each(folders)('publint and attw find nothing to say about %s', async (folder) => {
    const tarball = readFileSync(tarballs.get(readManifest(folder).name) as string);
    const bytes = new Uint8Array(tarball);
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    const analysis = await checkPackage(createPackageFromTarballData(bytes));
    expect(analysis.types).not.toBe(false);
    const problems = 'problems' in analysis ? analysis.problems : [];
    // Like the profile esm-only: Node itself explains a failed `require` of a module.
    const ignored = ['node10', 'node16-cjs'];
    expect(
      problems.filter((problem) => !('resolutionKind' in problem && ignored.includes(problem.resolutionKind))),
    ).toEqual([]);
  });
});

test('[PA3] the quickstart of the README runs from the tarballs, the port aside', async () => {
  const [start, agent, ask] = readmeBlocks('Ask from your own code');
  if (!start || agent?.language !== 'js' || !ask) throw new Error('the README has another quickstart');
  const [install = '', serve = ''] = commandsOf(start);
  const [, ...wanted] = /^npm install (\S+) (\S+)$/.exec(install) ?? [];
  expect(wanted.length).toBe(2);
  for (const name of wanted) expect(tarballs.has(name)).toBe(true);
  expect(serve).toBe('npx holdpoint serve');

  const server = consumer.start('npx', ['holdpoint', 'serve', '--port', '0']);
  await expect.poll(server.printed).toContain('holdpoint ready ');
  const [, key = ''] = /once: (\S+)/.exec(server.printed()) ?? [];
  const [, url = ''] = /ready (\S+)/.exec(server.printed()) ?? [];

  const [setKey = '', makeKey = '', runAgent = ''] = commandsOf(ask);
  expect(setKey).toMatch(/^export HOLDPOINT_API_KEY=/);
  const made = /^export HOLDPOINT_AGENT_KEY=\$\((npx holdpoint keys create .*)\)$/.exec(makeKey)?.[1] ?? '';
  const [npx = '', ...args] = made.split(' ');
  const admin = { HOLDPOINT_URL: url, HOLDPOINT_API_KEY: key };
  const agentKey = (await consumer.run(npx, args, admin)).trim();
  expect(runAgent).toBe('node agent.mjs');
  consumer.write('agent.mjs', agent.code.replace('http://127.0.0.1:7400', url));
  const running = consumer.run('node', ['agent.mjs'], { HOLDPOINT_AGENT_KEY: agentKey });

  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const pending = async () => {
    const listed = await fetch(`${url}/v1/interactions?status=pending`, { headers });
    return ((await listed.json()) as { data: { id: string }[] }).data;
  };
  await expect.poll(pending).toHaveLength(1);
  const [{ id } = { id: '' }] = await pending();
  const answer = (percent: number) =>
    fetch(`${url}/v1/interactions/${id}/answers`, {
      ...{ method: 'POST', headers },
      body: JSON.stringify({ values: { env: 'production', percent } }),
    });
  expect((await answer(250)).status).toBe(422);
  expect((await answer(25)).status).toBe(200);
  expect(await running).toBe("answered { env: 'production', percent: 25 }\n");

  // npx dies without forwarding the signal; then the server ends as well.
  server.kill('SIGTERM');
  const isThere = () =>
    fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    );
  await expect.poll(isThere).toBe(false);
});

const embedding = `
import { createHoldpoint, form, select } from 'holdpoint';
import { HoldpointError } from '@holdpoint/client';
import { agent } from '@holdpoint/agents';

const echo = agent('echo', async (ctx) => {
  await ctx.message();
  await ctx.say('heard');
});
const hp = await createHoldpoint({ data: './embedded', agents: [echo] });
const thread = await hp.createThread({ agent: 'echo' });
await hp.postMessage({ threadId: thread.id, text: 'Hello', role: 'user' });
const asking = hp.ask(thread, form({ env: select(['staging', 'production']) }, { title: 'Where?' }));
let [isHeard, isAnswered] = [false, false];
for await (const event of hp.events({ after: 'start' })) {
  if (event.type === 'interaction.created') await hp.answer(event.interactionId, { env: 'staging' });
  if (event.type === 'message.created') isHeard ||= event.data.message.role !== 'user';
  isAnswered ||= event.type === 'interaction.answered';
  if (isHeard && isAnswered) break;
}
const { values } = await asking;
const refused = await hp.getThread({ threadId: 'nobody' }).catch((error) => error instanceof HoldpointError);
const hasPort = process.getActiveResourcesInfo().includes('TCPServerWrap');
await hp.close();
console.log(JSON.stringify({ values, refused, hasPort }));
`;

test('[PA4][IP1] createHoldpoint runs from the tarballs, its threads, its agents and its errors, and the process ends', async () => {
  consumer.write('embedding.mjs', embedding);
  const printed = await consumer.run('node', ['embedding.mjs']);
  expect(JSON.parse(printed)).toEqual({ values: { env: 'staging' }, refused: true, hasPort: false });
});

const typed = `
import { agent } from '@holdpoint/agents';
import { form, Holdpoint, number, select } from '@holdpoint/client';
import { createHoldpoint, type EmbeddedHoldpoint } from 'holdpoint';

const hp = new Holdpoint({ url: 'http://127.0.0.1:7400', key: 'hp_key' });
const thread = await hp.createThread({ title: 'Release 4.2' });
const plan = await hp.ask(thread, form({ env: select(['staging', 'production']), percent: number() }, { title: 'Where?' }));
if (plan.status === 'answered') {
  const env: 'staging' | 'production' = plan.values.env;
  // @ts-expect-error It is a number.
  const percent: string = plan.values.percent;
  console.log(env, percent);
}
const own: EmbeddedHoldpoint = await createHoldpoint({ data: './data', agents: [agent('none', async () => {})] });
const same: Holdpoint = own;
await same.createThread({});
await own.close();
// @ts-expect-error One of the two is needed.
await createHoldpoint({});
`;

test('[PA5] the types are right for a strict consumer, ours checked as well', async () => {
  consumer.write('typed.mts', typed);
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], types: [], noEmit: true },
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, skipDefaultLibCheck: true },
  };
  consumer.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['typed.mts'] }));
  const printed = await consumer.run('node', [compiler, '-p', '.']).catch(({ stdout }: { stdout: string }) => stdout);
  expect(printed).toBe('');
});

const adapters = ['@holdpoint/adapters', '@holdpoint/client', '@holdpoint/protocol'];
// The client of AG-UI depends on its core.
const frameworks = Object.keys(readManifest('adapters').peerDependencies ?? {}).filter(
  (name) => name !== '@ag-ui/core',
);

/** Returns the packages that npm would install, by name. Fails if one of our packages does not fit a framework. */
async function resolved(names: readonly string[], others: readonly PeerVersion[]): Promise<string[]> {
  const project = new Consumer();
  try {
    const own = names.map((name) => tarballs.get(name) ?? '');
    const theirs = others.map(({ name, version }) => `${name}@${version}`);
    await project.install(['--package-lock-only', ...own, ...theirs]);
    const lock = readFileSync(`${project.folder}/package-lock.json`, 'utf8');
    const { packages } = JSON.parse(lock) as { packages: Record<string, object> };
    return Object.keys(packages).flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? []);
  } finally {
    project.remove();
  }
}

/**
 * Without the current LangGraph, which the repository's own lockfile holds together with all packages. Its parts are open ranges,
 * and npm tries for minutes where a newer part asks for a core that the registry does not have.
 */
const tried = versions.filter(({ name, isCurrent }) => name !== '@langchain/langgraph' || !isCurrent);
const versionsOf = (name: string) => tried.filter((each) => each.name === name);
/** One version of each framework per project, so that every version is in one project. */
const projects = Array.from({ length: Math.max(...frameworks.map((name) => versionsOf(name).length)) }, (_, index) =>
  frameworks.flatMap((name) => versionsOf(name).at(index % versionsOf(name).length) ?? []),
);

describe.concurrent('[AD27] npm resolves the tarballs', () => {
  test('the adapters bring no framework', async () => {
    expect((await resolved(adapters, [])).sort()).toEqual([...adapters, 're2js', 'typebox']);
  });

  test.for(frameworks.flatMap((name) => versionsOf(name).at(-1) ?? []))(
    'the adapters with $name bring no other framework',
    async (peer) => {
      const found = await resolved(adapters, [peer]);
      expect(found.filter((each) => frameworks.includes(each))).toEqual([peer.name]);
    },
  );

  test.for(
    projects.map((peers) => ({ peers, frameworks: peers.map(({ name, version }) => `${name} ${version}`).join(', ') })),
  )('all packages with $frameworks', async ({ peers }) => {
    expect(await resolved([...tarballs.keys()], peers)).toEqual(
      expect.arrayContaining(['holdpoint', ...peers.map(({ name }) => name)]),
    );
  });
});

/** The size of one import in a page: bundled by esbuild from the installed tarballs, minified and compressed. */
async function bundled(code: string) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: consumer.folder },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', logLevel: 'error' },
    ...{ write: false, metafile: true },
  });
  const [output] = outputFiles;
  if (!output) throw new Error('esbuild wrote nothing');
  const sources = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const kept = sources.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  return { bytes: gzipSync(output.contents, { level: 9 }).length, kept };
}

test('[PA6] the client is at most 8 KB for a page, from its tarball, and brings no schema', async () => {
  const { bytes, kept } = await bundled(
    "import { Holdpoint } from '@holdpoint/client'; globalThis.Holdpoint = Holdpoint;",
  );
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.filter((path) => /typebox|re2js/.test(path))).toEqual([]);
  expect(bytes).toBeLessThanOrEqual(8_000);
});

const compiler = new URL('../../node_modules/typescript/bin/tsc', import.meta.url).pathname;
const typeRoots = [new URL('../../node_modules/@types', import.meta.url).pathname];

/** The work of the compiler for a file, as counts, because its time depends on the machine. */
async function effortOf(name: string, code: string): Promise<{ types: number; instantiations: number }> {
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], typeRoots, types: ['node'], noEmit: true },
    ...{ strict: true, skipLibCheck: false },
  };
  consumer.write(name, code);
  consumer.write('tsconfig.effort.json', JSON.stringify({ compilerOptions, files: [name] }));
  const printed = await consumer.run('node', [compiler, '-p', 'tsconfig.effort.json', '--extendedDiagnostics']);
  const count = (word: string) => Number(new RegExp(`^${word}: +(\\d+)$`, 'm').exec(printed)?.[1]);
  return { types: count('Types'), instantiations: count('Instantiations') };
}

test('[PA7] the quickstart costs the compiler at most twice an empty file', async () => {
  const [, agent] = readmeBlocks('Ask from your own code');
  const empty = await effortOf('empty.mts', 'export {};\n');
  const quickstart = await effortOf('quickstart.mts', agent?.code ?? '');
  expect(empty.types).toBeGreaterThan(0);
  expect(quickstart.types).toBeLessThanOrEqual(2 * empty.types);
  expect(quickstart.instantiations).toBeLessThanOrEqual(2 * empty.instantiations);
});

const edited = `import { Holdpoint } from '@holdpoint/client';
const hp = new Holdpoint({ url: '', key: '' });
const found = await hp.get('id');
const { data: threads } = await hp.listThreads({});
const { fields } = found;
for await (const event of hp.events())
  if (event.type === 'interaction.answered') {
    const { answer } = event.data;
    console.log(threads, fields, answer);
  }
`;

test('[PA7] an editor shows types by their names, and the type of an event says what its data is', () => {
  const path = join(consumer.folder, 'edited.mts');
  consumer.write('edited.mts', edited);
  const program = ts.createProgram([path], {
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2024, lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'] },
    ...{ strict: true, noEmit: true, types: [] },
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path) as ts.SourceFile;
  /** Returns the text that an editor shows for the first use of a name. */
  const hover = (name: string): string => {
    const find = (node: ts.Node): ts.Node | undefined =>
      ts.isIdentifier(node) && node.text === name ? node : ts.forEachChild(node, find);
    return checker.typeToString(checker.getTypeAtLocation(find(source) as ts.Node));
  };
  const shown = Object.fromEntries(
    ['found', 'threads', 'fields', 'event', 'answer'].map((name) => [name, hover(name)]),
  );
  expect(shown).toEqual({
    ...{ found: 'Interaction', threads: 'Thread[]', fields: 'Field[]', event: 'LogEvent', answer: 'Answer' },
  });
});

test('[PA7] the types that are published are those of the sources', async () => {
  const source = new URL('../../packages/protocol/src/index.ts', import.meta.url).pathname;
  const text = readFileSync(source, 'utf8');
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([whole, list = '']) =>
    list.split(',').flatMap((item) => {
      const name = item.trim();
      const isType = name.startsWith('type ') || (name !== '' && whole.startsWith('export type'));
      return isType ? [name.replace('type ', '')] : [];
    }),
  );
  const starred = [...text.matchAll(/^export (?:type )?\* from '(.*)';/gm)].flatMap(([, path = '']) => {
    const module = readFileSync(join(dirname(source), path), 'utf8');
    return [...module.matchAll(/^export (?:type|interface) (\w+)\b(?!<)/gm)].map(([, name = '']) => name);
  });
  const named = [...new Set([...listed, ...starred])];
  // Types with parameters, types that a builder marks with a symbol of its module, and the entries of the verb table: their
  // schemas are TypeBox's in the sources and JsonSchema in the package.
  const others =
    /^(AnswerOf|AnswerOfFields|ApprovalAsk|ApprovalOptions|Ask|FieldSpec|FieldOf|Outcome|ValuesOf|Page|Approval|LogEventOf|VerbCall|VerbSpec)$/;
  const compared = named.filter((name) => !others.test(name));
  expect(compared.length).toBeGreaterThan(90);
  consumer.write(
    'same.mts',
    `import type * as Plain from '@holdpoint/protocol';
import type * as Source from '${source}';
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
${compared.map((name) => `export const ${name}: Same<Plain.${name}, Source.${name}> = true;`).join('\n')}
// @ts-expect-error Two different ones are not assignable.
export const different: Same<Plain.Thread, Source.Message> = true;
`,
  );
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2024', lib: ['es2024', 'dom'], types: [], noEmit: true, strict: true },
    ...{ exactOptionalPropertyTypes: true, skipLibCheck: true, allowImportingTsExtensions: true },
  };
  consumer.write('tsconfig.same.json', JSON.stringify({ compilerOptions, files: ['same.mts'] }));
  const printed = await consumer
    .run('node', [compiler, '-p', 'tsconfig.same.json'])
    .catch(({ stdout }: { stdout: string }) => stdout);
  expect(printed).toBe('');
});
