/** The process of the demo agent: the server starts it, kills it on request, and restarts it when it dies. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defined } from '@holdpoint/protocol';
import type { DemoState } from '../http/console/demo-routes.ts';

interface DemoProcessOptions {
  /** Creates the first message to the agent, at every start. */
  begin(): Promise<ToAgent & { type: 'begin' }>;
  urlOf(wanted: Wanted): Promise<string>;
  onError(error: unknown): void;
}

/** Long enough for people to notice that the agent is gone. */
const restartMs = 3_000;
/** Limits how often an agent that keeps crashing is restarted. */
const longestPauseMs = 60_000;
const settledMs = 60_000;

/** In the bundle, or in the sources. */
const command = ['./cli.js', '../cli.ts'].map((path) => new URL(path, import.meta.url)).find(existsSync);

export class DemoProcess {
  readonly #options: DemoProcessOptions;
  #child: ChildProcess | undefined;
  #isReady = false;
  #restart: NodeJS.Timeout | undefined;
  #pauseMs = restartMs;
  #isWanted = false;

  constructor(options: DemoProcessOptions) {
    this.#options = options;
  }

  get state(): DemoState {
    if (!this.#isWanted) return 'off';
    if (!this.#child) return 'killed';
    return this.#isReady ? 'running' : 'starting';
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Keeps the agent running until stop(). */
  async start(): Promise<void> {
    if (this.#isWanted) return;
    this.#isWanted = true;
    await this.#begin();
  }

  kill(): void {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    this.#pauseMs = restartMs;
    child.kill('SIGKILL');
    this.#beginLater();
  }

  stop(): void {
    this.#isWanted = false;
    clearTimeout(this.#restart);
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #begin(): Promise<void> {
    try {
      const begin = await this.#options.begin();
      if (!this.#isWanted || !command) return;
      const child = spawn(process.execPath, [fileURLToPath(command), 'demo-agent'], {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: demoEnvironment(process.env),
      });
      this.#child = child;
      this.#isReady = false;
      const startedAt = performance.now();
      const ended = () => this.#ended(child, performance.now() - startedAt);
      child.on('error', (error) => {
        this.#options.onError(error);
        // A process that could not be started never exits.
        if (child.pid === undefined) ended();
      });
      child.on('message', (message: FromAgent) => this.#receive(child, message));
      child.once('exit', ended);
      if (child.pid === undefined) return;
      child.send(begin satisfies ToAgent, () => {});
      // The demo alone must not keep the server's process alive.
      child.unref();
      child.channel?.unref();
    } catch (error) {
      this.#options.onError(error);
      this.#beginLater();
    }
  }

  #ended(child: ChildProcess, livedMs: number): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    this.#pauseMs = livedMs > settledMs ? restartMs : this.#pauseMs;
    this.#beginLater();
  }

  #beginLater(): void {
    if (!this.#isWanted) return;
    this.#restart = setTimeout(() => void this.#begin(), this.#pauseMs);
    this.#restart.unref();
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs);
  }

  async #receive(child: ChildProcess, message: FromAgent): Promise<void> {
    if (message.type === 'ready') {
      if (child === this.#child) this.#isReady = true;
      return;
    }
    if (message.type === 'error') return this.#options.onError(new Error(message.message));
    const { wanted } = message;
    const url = await this.#options.urlOf(wanted).catch(this.#options.onError);
    const reply: ToAgent = { type: 'url', wanted, ...defined({ url: url || undefined }) };
    if (child.connected) child.send(reply, () => {});
  }
}

/** The environment variables that the agent gets: those that Node needs, and no secrets. */
const passed = new Set(['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'LANG', 'TZ', 'MALLOC_ARENA_MAX']);

/** On Windows, names ignore case. */
export const demoEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => passed.has(name.toUpperCase())));

/** An address that only the server knows: a link to a request, or the origin of a thread. */
export interface Wanted {
  type: 'link' | 'origin';
  id: string;
}

export type ToAgent =
  | { type: 'begin'; url: string; key: string; pace: number }
  | { type: 'url'; wanted: Wanted; url?: string };

export type FromAgent = { type: 'ready' } | { type: 'ask'; wanted: Wanted } | { type: 'error'; message: string };
