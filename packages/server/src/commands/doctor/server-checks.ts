/** Checks the server from outside: reachable, same version, able to write, clock, and API key. */
import { createServer } from 'node:net';
import { httpService } from '@holdpoint/client';
import { HoldpointError, isObject } from '@holdpoint/protocol';
import { type Check, fail, ok, warn } from './data-checks.ts';

export interface ServerPlace {
  url: string;
  key: string | undefined;
  /** The version of this command. */
  version: string;
  /** The address that a server with this configuration would listen on. */
  host: string;
  port: number;
}

const patienceMs = 5_000;
const smallSkewMs = 2_000;
const largeSkewMs = 60_000;

export async function serverChecks(place: ServerPlace): Promise<Check[]> {
  const { url, version } = place;
  const begunAt = Date.now();
  const health = await call(`${url}/healthz`);
  const endedAt = Date.now();
  if (!health) return [await unreachable(place)];
  const { body } = health;
  if (!isObject(body) || body.status !== 'ok')
    return [fail('server', `${url} is not a Holdpoint server`, 'set another URL with --url, or stop that program')];
  const versions = `the server is ${body.version ?? 'older'}, this command ${version}`;
  return [
    ok('server', `${url} answers`),
    body.version === version ? ok('version', version) : warn('version', versions, 'install the same version of both'),
    await ready(url),
    clock(health.date, begunAt, endedAt),
    await keyCheck(place),
  ];
}

async function call(url: string): Promise<{ status: number; body: unknown; date: string | null } | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    const body: unknown = await response.json().catch(() => undefined);
    return { status: response.status, body, date: response.headers.get('date') };
  } catch {
    return undefined;
  }
}

/** A stopped server is only a warning if it could be started. */
async function unreachable({ url, host, port }: ServerPlace): Promise<Check> {
  const { hostname, port: asked } = new URL(url);
  const isHere = [host, '127.0.0.1', 'localhost', '[::1]'].includes(hostname) && Number(asked || 80) === port;
  if (!isHere)
    return fail('server', `no server answers at ${url}`, 'start it, or set another URL with --url or HOLDPOINT_URL');
  const fault = await listenFault(host, port);
  if (fault !== undefined)
    return fail(
      'port',
      `no server runs, and none can start: ${fault}`,
      'stop that program, or choose another port with --port',
    );
  return warn('server', `no server answers at ${url}; port ${port} is free`, 'start it with "holdpoint serve"');
}

async function ready(url: string): Promise<Check> {
  const answered = await call(`${url}/readyz`);
  if (answered?.status === 200) return ok('writes', 'the server can save data');
  return fail('writes', 'the server cannot save data', 'check its log, disk and database');
}

/** A Date header has whole seconds, and the round trip takes time. */
function clock(date: string | null, begunAt: number, endedAt: number): Check {
  const serverTime = date === null ? Number.NaN : Date.parse(date);
  if (!Number.isFinite(serverTime))
    return warn('clock', 'the server sends no time', 'check the proxy in front of the server');
  const skewMs = serverTime > endedAt ? serverTime - endedAt : Math.max(0, begunAt - (serverTime + 999));
  const words = `${(skewMs / 1_000).toFixed(1)} s different from the server's clock`;
  const todo = 'synchronize both clocks with NTP: the server applies deadlines by its own clock';
  if (skewMs > largeSkewMs) return fail('clock', words, todo);
  return skewMs > smallSkewMs ? warn('clock', words, todo) : ok('clock', "same as the server's");
}

async function keyCheck({ url, key }: ServerPlace): Promise<Check> {
  if (key === undefined) return warn('key', 'no API key', 'set HOLDPOINT_API_KEY, or name a file with --key-file');
  try {
    // Only an admin key may list keys. The error for others names their role.
    await httpService({ url, key, retryForMs: 0 }).listApiKeys({ limit: 1 });
    return ok('key', 'an admin key');
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    const [, role] = /The caller has (\S+) rights/.exec(error.message) ?? [];
    if (role !== undefined)
      return ok('key', role.endsWith('responder') ? "a person's token" : `a key with the role ${role}`);
    return fail('key', error.message, 'check HOLDPOINT_API_KEY; "holdpoint keys create" creates a new key');
  }
}

/** Listens for a moment. Returns undefined if that works. */
function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(code === 'EADDRINUSE' ? `port ${port} is in use by another program` : message),
    );
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
