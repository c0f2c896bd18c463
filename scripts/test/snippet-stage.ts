/** What snippets need to run as a reader runs them: the packed packages, a server, Node 20 and 24, and a person who answers. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Holdpoint, type Interaction } from '@holdpoint/client';
import { type Field, type FreeObject, isInputField } from '@holdpoint/protocol';
import { transformSync } from 'esbuild';
import { type RunningServer, startServer } from '../../examples/start-server.ts';
import { packAll } from '../pack.ts';
import { Consumer, env as ownEnv } from './consumer.ts';

const adminKey = 'hp_the-admin-key-of-the-snippets';
export type NodeVersion = 20 | 24;

export interface Running {
  printed(): string;
  /** Output and exit code, once it has ended. */
  ended: Promise<{ code: number; printed: string }>;
  kill(): void;
}

export interface Stage {
  folder: string;
  server: RunningServer;
  hp: Holdpoint;
  adminKey: string;
  agentKey: string;
  /** With the addresses and keys of this stage in the place of those in the text. */
  filled(code: string): string;
  shell(code: string, options?: RunOptions): Running;
  /** Runs a program of a page. Node 20 cannot read TypeScript, so a reader compiles first. */
  program(name: string, code: string, options?: RunOptions): Running;
  write(name: string, code: string): void;
  /** Answers each new question until the returned function is called. */
  person(answer?: (question: Interaction) => FreeObject | undefined): () => Promise<void>;
  close(): Promise<void>;
}

export interface RunOptions {
  node?: NodeVersion;
  env?: Record<string, string>;
  folder?: string;
}

/** `SNIPPETS_FOLDER` names a folder that keeps the installed packages between two runs. */
async function consumerFolder(): Promise<{ folder: string; remove(): void }> {
  const kept = process.env.SNIPPETS_FOLDER;
  if (kept && existsSync(join(kept, 'node_modules'))) return { folder: kept, remove() {} };
  const consumer = new Consumer();
  const tarballs = await packAll('build/test-snippets');
  await consumer.install([...tarballs.values(), 'ai@7.0.169', '@ai-sdk/openai-compatible@3.0.90', 'zod@4.6.7']);
  if (!kept) return { folder: consumer.folder, remove: () => consumer.remove() };
  execFileSync('cp', ['-a', consumer.folder, kept]);
  consumer.remove();
  return { folder: kept, remove() {} };
}

/** The folder of the `node` of this version: of the machine, or from the registry. */
function nodeFolder(version: NodeVersion, made: string): string {
  const isThat = (folder: string): boolean => {
    try {
      const printed = execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8', stdio: 'pipe' });
      return printed.startsWith(`v${version}.`);
    } catch {
      return false;
    }
  };
  const folders = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)];
  const found = folders.find(isThat);
  const bin = join(made, `node-${version}`);
  mkdirSync(bin, { recursive: true });
  if (found) symlinkSync(join(found, 'node'), join(bin, 'node'));
  else {
    const name = `node-${process.platform}-${process.arch}`;
    const latest = { 20: '20.20.2', 24: '24.21.0' }[version];
    const to = join(made, `install-${version}`);
    execFileSync('npm', ['install', '--prefix', to, '--no-audit', '--no-fund', `${name}@${latest}`], { env: ownEnv });
    symlinkSync(join(to, 'node_modules', name, 'bin', 'node'), join(bin, 'node'));
  }
  return bin;
}

export async function openStage(flags: readonly string[]): Promise<Stage> {
  const consumer = await consumerFolder();
  const made = mkdtempSync(join(tmpdir(), 'holdpoint-snippets-'));
  const server = await startServer({ adminKey, flags });
  const hp = new Holdpoint({ url: server.url, key: adminKey });
  const agentKey = (await hp.createApiKey({ name: 'snippets', role: 'agent' })).secret ?? '';
  const nodes = { 20: nodeFolder(20, made), 24: nodeFolder(24, made) };
  const children = new Set<{ pid?: number | undefined }>();
  const { folder } = consumer;

  const filled = (code: string): string =>
    code
      .replaceAll('http://127.0.0.1:7400', server.url)
      .replaceAll('HOLDPOINT_API_KEY=hp_…', `HOLDPOINT_API_KEY=${adminKey}`)
      .replaceAll('HOLDPOINT_AGENT_KEY=hp_…', `HOLDPOINT_AGENT_KEY=${agentKey}`);

  function start(command: string, args: readonly string[], { node = 24, env = {}, ...at }: RunOptions): Running {
    const keys = { HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: adminKey, HOLDPOINT_AGENT_KEY: agentKey };
    // Without the commands of this repository: a reader has none of them.
    const others = (ownEnv.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
    const PATH = [nodes[node], ...others].join(delimiter);
    const child = spawn(command, args, {
      cwd: at.folder ?? folder,
      env: { ...ownEnv, NO_COLOR: '1', ...keys, ...env, PATH },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
    const ended = new Promise<{ code: number; printed: string }>((resolve) =>
      child.once('close', (code) => resolve({ code: code ?? -1, printed })),
    );
    return { printed: () => printed, ended, kill: () => killGroup(child) };
  }

  const write = (name: string, code: string) => writeFileSync(join(folder, name), filled(code));

  return {
    ...{ folder, server, hp, adminKey, agentKey, filled, write },
    shell: (code, options = {}) => start('bash', ['-euo', 'pipefail', '-c', filled(code)], options),
    program(name, code, options = {}) {
      const isCompiled = options.node === 20 && /\.m?ts$/.test(name);
      const target = isCompiled ? name.replace(/\.m?ts$/, '.mjs') : name;
      write(target, isCompiled ? transformSync(code, { loader: 'ts', format: 'esm', target: 'node20' }).code : code);
      return start('node', [target], options);
    },
    person: (answer = anyAnswer) => person(hp, answer),
    async close() {
      for (const child of children) killGroup(child);
      await server.stop();
      rmSync(made, { recursive: true, force: true });
      consumer.remove();
    },
  };
}

function killGroup({ pid }: { pid?: number | undefined }): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function person(hp: Holdpoint, answer: (question: Interaction) => FreeObject | undefined): () => Promise<void> {
  const stop = new AbortController();
  const answering = (async () => {
    for await (const event of hp.events({ types: ['interaction.created'], signal: stop.signal })) {
      if (event.type !== 'interaction.created') continue;
      const values = answer(event.data.interaction);
      const [id] = event.data.interaction.responder.assignees ?? ['kim'];
      const responder = { type: 'human', id: id ?? 'kim' } as const;
      if (values) await hp.answer(event.data.interaction, values, { responder }).catch(() => {});
    }
  })();
  return async () => {
    stop.abort();
    await answering.catch(() => {});
  };
}

/** The first option, the default or something that fits. */
export const anyAnswer = ({ fields }: Interaction): FreeObject =>
  Object.fromEntries(fields.filter(isInputField).flatMap((field) => valueOf(field)));

function valueOf(field: Field & { name: string }): [string, unknown][] {
  if ('visibleIf' in field && field.visibleIf) return [];
  if ('default' in field && field.default !== undefined) return [[field.name, field.default]];
  if ('options' in field) {
    const [first] = field.options;
    return [[field.name, field.type === 'multi_select' ? [first?.value] : first?.value]];
  }
  if (field.type === 'number') return [[field.name, field.min ?? 1]];
  if (field.type === 'date') return [[field.name, '2026-12-01']];
  if (field.type === 'checkbox' || field.type === 'confirm') return [[field.name, true]];
  return 'required' in field && field.required ? [[field.name, 'a text']] : [];
}

export const pages = (): string[] => [
  'README.md',
  ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`),
  ...readdirSync('packages').map((name) => `packages/${name}/README.md`),
  'examples/README.md',
  ...readdirSync('examples').map((name) => `examples/${name}/README.md`),
].filter((file) => existsSync(file));
