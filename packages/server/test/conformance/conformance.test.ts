/** The suite that anybody can run against a server, run against this one: over HTTP and without a socket. */
import { type Case, cases, runCases, type Suite } from '@holdpoint/conformance';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const of = (...suites: Suite[]): [string, string, Case][] =>
  cases.filter(({ suite }) => suites.includes(suite)).map((one) => [one.suite, one.name, one]);

describe.each(['over HTTP', 'in process'])('%s', (way) => {
  async function pass(one: Case): Promise<void> {
    const reached = way === 'in process' ? { fetch: server.fetch } : {};
    const [result] = await runCases([one], { url: server.url, key: adminKey, ...reached });
    expect(result?.failure).toBeUndefined();
  }
  test.each(of('native'))('%s: %s', (_suite, _name, one) => pass(one));
  test.each(of('chat-requests', 'chat-requests-beyond', 'input-requests', 'agent-service'))(
    '[DL2][DL3] %s: %s',
    (_suite, _name, one) => pass(one),
  );
  test.each(of('mcp'))('[MC1][MC2][MC3] %s: %s', (_suite, _name, one) => pass(one));
  test.each(of('blocks'))('[BL1][BL3][BL6] %s: %s', (_suite, _name, one) => pass(one));
  test.each(of('cross'))('[DL1] %s: %s', (_suite, _name, one) => pass(one));
});
