/** Before its cases the runner checks the server and the key, and reports a problem once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../postgres/free-port.ts';
import { adminKey, startTestServer } from '../test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const cli = fileURLToPath(new URL('../../../conformance/src/cli.ts', import.meta.url));

async function run(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, error };
}

test('a missing server, a wrong key and an agent key have an error of one line', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  expect(await run(nowhere, 'key')).toEqual({
    ...{ code: 2, out: '', error: `No server answers at ${nowhere}: ECONNREFUSED.\n` },
  });
  const refused = { code: 2, out: '', error: `The server at ${server.url} does not accept this key.\n` };
  expect(await run(server.url, 'wrong')).toEqual(refused);
  expect(await run(server.url, 'wrong', '--only', 'chat-requests')).toEqual(refused);
  const { body } = await server.admin.post<{ secret: string }>('/v1/keys', { name: 'agent', role: 'agent' });
  expect(await run(server.url, body.secret)).toEqual({ code: 2, out: '', error: 'The key is not an admin key.\n' });
});

test('with a key that is right the cases run', async () => {
  const { code, out } = await run(server.url, adminKey, '--only', 'chat-requests-beyond');
  expect(out).toMatch(/\n(\d+) of \1 passed\n$/);
  expect(code).toBe(0);
});
