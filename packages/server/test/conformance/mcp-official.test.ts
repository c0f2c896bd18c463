/**
 * The official conformance suite of MCP against /mcp. What it asks for and these tools do not offer (prompts, resources,
 * tools of its own by name) is listed in not-offered/, one file for each version; whatever else fails, or is listed and
 * passes, fails here.
 */
import { execFile } from 'node:child_process';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { adminKey, startTestServer } from '../test-server.ts';

const suite = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'));
const server = await startTestServer();

/** The suite has no way to send a key. All else goes through as it is: one of its scenarios is about Host and Origin. */
const gate = createServer((asked, answer) => {
  const headers = { ...asked.headers, authorization: `Bearer ${adminKey}` };
  const passedOn = request(server.url + asked.url, { method: asked.method, headers }, (got) => {
    answer.writeHead(got.statusCode ?? 502, got.headers);
    got.pipe(answer);
  });
  passedOn.on('error', () => answer.destroy());
  answer.on('close', () => passedOn.destroy());
  asked.pipe(passedOn);
});
await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));

afterAll(async () => {
  gate.closeAllConnections();
  gate.close();
  await server[Symbol.asyncDispose]();
});

test.each(['2025-06-18', '2025-11-25', '2026-07-28'])('version %s: nothing that applies fails', async (version) => {
  const notOffered = fileURLToPath(new URL(`not-offered/${version}.yml`, import.meta.url));
  const url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/mcp`;
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', version, '--expected-failures', notOffered];
  const run = promisify(execFile)(process.execPath, [suite, ...args], { maxBuffer: 64 * 2 ** 20 });
  const outcome = await run.catch((error: { stdout: string; stderr: string }) => error);
  expect('code' in outcome ? outcome.stdout.slice(-4_000) + outcome.stderr.slice(-4_000) : '').toBe('');
});
