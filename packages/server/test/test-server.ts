/** The real server in this process, on a folder and a port of its own, with a clock the test can move. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, readConfig } from '../src/config.ts';
import { startServer } from '../src/main.ts';
import { Client } from './client.ts';

export const adminKey = 'test-admin-key';

export interface TestServer extends AsyncDisposable {
  url: string;
  folder: string;
  admin: Client;
  clock: { now(): number; offsetMs: number };
  /** Stops it and starts it again on the same folder. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestServer(overrides: Partial<Config> = {}): Promise<TestServer> {
  const folder = overrides.dataFolder ?? newFolder();
  const clock = { offsetMs: 0, now: () => Date.now() + clock.offsetMs };
  const config: Config = {
    ...readConfig(['--port', '0', '--log-level', 'silent'], { HOLDPOINT_API_KEY: adminKey }),
    dataFolder: folder,
    ...overrides,
  };
  let running = await startServer(config, clock);
  const server: TestServer = {
    url: running.url,
    folder,
    admin: new Client(running.url, adminKey),
    clock,
    async restart() {
      await running.stop();
      running = await startServer(config, clock);
      server.url = running.url;
      server.admin = new Client(running.url, adminKey);
    },
    stop: () => running.stop(),
    async [Symbol.asyncDispose]() {
      await running.stop();
      if (!overrides.dataFolder) rmSync(folder, { recursive: true, force: true });
    },
  };
  return server;
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'holdpoint-'));
