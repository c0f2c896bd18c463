/** Everything that a snippet needs: the packed packages, a server, Node 20 and 24, and a person who answers. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { Holdpoint, type Interaction } from '@holdpoint/client';
import { type FreeObject, type InputField, isInputField } from '@holdpoint/protocol';
import { transformSync } from 'esbuild';
import { expect, vi } from 'vitest';
import { packAll } from '../../pack.ts';
import { Consumer, env as ownEnv } from '../consumer.ts';

export type NodeVersion = 20 | 24;

export interface Running {
  printed(): string;
  /** Waits for this text, and returns what the pattern captured. */
  prints(text: string | RegExp): Promise<string>;
  /** Its output, once it has exited with 0. */
  succeeds(): Promise<string>;
  ended: Promise<{ code: number; printed: string }>;
  kill(): void;
}

interface RunOptions {
  node?: NodeVersion;
  env?: Record<string, string>;
  folder?: string;
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
const adminKey = 'hp_the-admin-key-of-the-snippets';
const frameworks = ['ai@7.0.169', '@ai-sdk/openai-compatible@3.0.90', 'react@19.3.1'];

/** `SNIPPETS_FOLDER` names a folder that keeps the installed packages between two runs. */
async function consumerFolder(): Promise<{ folder: string; remove(): void }> {
  const kept = process.env.SNIPPETS_FOLDER;
  if (kept && existsSync(join(kept, 'node_modules'))) return { folder: kept, remove() {} };
  const consumer = new Consumer();
  const tarballs = await packAll('build/test-snippets');
  await consumer.install([...tarballs.values(), ...frameworks]);
  if (!kept) return { folder: consumer.folder, remove: () => consumer.remove() };
  execFileSync('cp', ['-a', consumer.folder, kept]);
  consumer.remove();
  return { folder: kept, remove() {} };
}

/** A folder with the `node` of this version: that of the machine, or one from the registry. */
function nodeFolder(version: NodeVersion, made: string): string {
  const isThat = (folder: string): boolean => {
    try {
      const printed = execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8', stdio: 'pipe' });
      return printed.startsWith(`v${version}.`);
    } catch {
      return false;
    }
  };
  const found = [dirname(process.execPath), ...(process.env.PATH ?? '').split(delimiter)].find(isThat);
  const bin = join(made, `node-${version}`);
  mkdirSync(bin);
  if (found) symlinkSync(join(found, 'node'), join(bin, 'node'));
  else {
    const name = `node-${process.platform}-${process.arch}`;
    const newest = { 20: '20.20.2', 24: '24.21.0' }[version];
    const to = join(made, `install-${version}`);
    execFileSync('npm', ['install', '--prefix', to, '--no-audit', '--no-fund', `${name}@${newest}`], { env: ownEnv });
    symlinkSync(join(to, 'node_modules', name, 'bin', 'node'), join(bin, 'node'));
  }
  return bin;
}

export async function openStage() {
  const consumer = await consumerFolder();
  const { folder } = consumer;
  const made = mkdtempSync(join(tmpdir(), 'holdpoint-snippets-'));
  const nodes = { 20: nodeFolder(20, made), 24: nodeFolder(24, made) };
  const children = new Set<{ pid?: number | undefined }>();
  const keys: Record<string, string> = {};

  function start(command: string, args: readonly string[], { node = 24, env = {}, ...at }: RunOptions): Running {
    // Without the commands of this repository, which a reader does not have.
    const others = (ownEnv.PATH ?? '').split(delimiter).filter((each) => !each.includes('node_modules'));
    const child = spawn(command, args, {
      cwd: at.folder ?? folder,
      env: {
        ...ownEnv,
        NO_COLOR: '1',
        DATABASE_URL: '',
        ...keys,
        ...env,
        PATH: [nodes[node], ...others].join(delimiter),
      },
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
    return {
      ...{ printed: () => printed, ended, kill: () => killGroup(child) },
      async prints(text) {
        await vi.waitFor(() => expect(printed).toMatch(text), { timeout: 60_000 });
        return new RegExp(text).exec(printed)?.[1] ?? '';
      },
      async succeeds() {
        const { code } = await ended;
        expect(code, printed).toBe(0);
        return printed;
      },
    };
  }

  const serve = async (flags: string, options: RunOptions = {}) => {
    const running = start('bash', ['-c', `exec npx holdpoint serve --port 0 ${flags}`], options);
    return { url: await running.prints(/ready (http\S+)/), running };
  };
  const flags = `--data ${join(made, 'data')} --no-demo --allow-private-webhooks --cors-origin http://page.localhost`;
  const { url } = await serve(flags, { env: { HOLDPOINT_API_KEY: adminKey } });
  const hp = new Holdpoint({ url, key: adminKey });
  const agentKey = (await hp.createApiKey({ name: 'snippets', role: 'agent' })).secret ?? '';
  Object.assign(keys, { HOLDPOINT_URL: url, HOLDPOINT_API_KEY: adminKey, HOLDPOINT_AGENT_KEY: agentKey });

  /** With the server and the keys of this stage in place of those in the text. */
  const filled = (code: string): string =>
    code
      .replaceAll('http://127.0.0.1:7400', url)
      .replaceAll('HOLDPOINT_API_KEY=hp_…', `HOLDPOINT_API_KEY=${adminKey}`)
      .replaceAll('HOLDPOINT_AGENT_KEY=hp_…', `HOLDPOINT_AGENT_KEY=${agentKey}`);
  /** Node 20 cannot read TypeScript, so a reader compiles first. */
  const forNode = (name: string, code: string, node: NodeVersion): [string, string] => {
    if (node === 24 || !/\.m?ts$/.test(name)) return [name, code];
    const compiled = transformSync(code, { loader: 'ts', format: 'esm', target: 'node20' }).code;
    return [name.replace(/\.m?ts$/, '.mjs'), compiled.replaceAll(/(["']\.\/[\w-]+)\.ts(["'])/g, '$1.mjs$2')];
  };
  const write = (name: string, code: string, node: NodeVersion = 24): string => {
    const [file, text] = forNode(name, code, node);
    writeFileSync(join(folder, file), filled(text));
    return file;
  };

  async function pending(title: string): Promise<Interaction> {
    const find = async () =>
      (await hp.listInteractions({ status: 'pending', limit: 200, order: 'newest' })).data.find(
        (each) => each.title === title,
      );
    await expect.poll(find, { timeout: 60_000 }).toBeDefined();
    return (await find()) as Interaction;
  }

  return {
    ...{ folder, url, hp, adminKey, agentKey, write, serve, pending },
    shell: (code: string, options: RunOptions = {}) => start('bash', ['-euo', 'pipefail', '-c', filled(code)], options),
    program: (name: string, code: string, options: RunOptions = {}) =>
      start('node', [write(name, code, options.node)], options),
    /** A person answers the question of this title as soon as it is asked. */
    async answer(title: string, values?: FreeObject): Promise<Interaction> {
      const question = await pending(title);
      const [id = 'kim'] = question.responder.assignees ?? [];
      return hp.answer(question, values ?? anyValues(question), { responder: { type: 'human', id } });
    },
    async close() {
      for (const child of children) killGroup(child);
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

/** Values that fit: a default, the first option, the least number. */
const anyValues = ({ fields }: Interaction): FreeObject =>
  Object.fromEntries(fields.filter(isInputField).flatMap((field) => fittingValue(field)));

function fittingValue(field: InputField): [string, unknown][] {
  const { name } = field;
  if ('default' in field && field.default !== undefined) return [[name, field.default]];
  if ('options' in field) {
    const first = field.options[0]?.value;
    return [[name, field.type === 'multi_select' ? [first] : first]];
  }
  if (field.type === 'number') return [[name, field.min ?? 1]];
  if (field.type === 'date') return [[name, '2026-12-01']];
  return field.required ? [[name, field.type === 'time' ? '10:30' : 'a text']] : [];
}
