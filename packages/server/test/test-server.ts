/** The real server in this process, with its own data and port, and a clock that the test can move. */
import { type Config, readConfig } from '../src/config.ts';
import { type Internals, type RunningServer, startServer } from '../src/main.ts';
import { Client } from './client.ts';
import type { DataPlace } from './data-place.ts';
import { newPlace } from './new-place.ts';

export const adminKey = 'test-admin-key';

export interface TestServer extends AsyncDisposable {
  url: string;
  /** Calls it without a socket. */
  fetch: RunningServer['fetch'];
  place: DataPlace;
  admin: Client;
  /** The link that the start prints, if nobody is an admin yet. */
  signInLink: string | undefined;
  clock: { now(): number; offsetMs: number };
  /** Stops it and starts it again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface TestServerOptions extends Partial<Config> {
  /** Data that other servers use too. It is kept after this server stops. */
  place?: DataPlace;
  /** The time at which the server starts, by its clock. The default is that of the machine. */
  startAt?: number;
  internals?: Internals;
}

export async function startTestServer({
  place: given,
  startAt,
  internals: more,
  ...overrides
}: TestServerOptions = {}): Promise<TestServer> {
  const place = given ?? (await newPlace());
  const clock = { offsetMs: startAt === undefined ? 0 : startAt - Date.now(), now: () => Date.now() + clock.offsetMs };
  const config: Config = {
    ...readConfig(['--port', '0', '--log-level', 'silent', '--allow-private-webhooks'], {
      HOLDPOINT_API_KEY: adminKey,
    }),
    ...place.config,
    ...overrides,
  };
  // All calls of a test have ended when it stops its server, so closing the connections breaks none.
  const internals = { drainQuietMs: 0, ...more };
  let running = await startServer(config, clock, internals);
  const server: TestServer = {
    url: running.url,
    fetch: (url, init) => running.fetch(url, init),
    place,
    admin: new Client(running.url, adminKey),
    signInLink: running.signInLink?.url,
    clock,
    async restart() {
      await running.stop();
      running = await startServer(config, clock, internals);
      server.url = running.url;
      server.admin = new Client(running.url, adminKey);
      server.signInLink = running.signInLink?.url;
    },
    stop: () => running.stop(),
    async [Symbol.asyncDispose]() {
      await running.stop();
      if (!given) await place[Symbol.asyncDispose]();
    },
  };
  return server;
}
