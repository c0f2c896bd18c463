/** holdpoint mcp: the official client uses the tools over standard input and output, with a real server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tools } from '@holdpoint/mcp';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from './run-command.ts';
import { adminKey, startTestServer } from './test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const command = new URL('../build/cli.js', import.meta.url).pathname;

async function connect(pinned: ConstructorParameters<typeof Client>[1], key = adminKey) {
  const client = new Client({ name: 'a test', version: '1' }, pinned);
  const env = { PATH: process.env.PATH ?? '', HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: key };
  const args = [command, 'mcp', '--tools', 'ask,input-requests'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() });
}

const newConversation = async () => (await server.admin.post<{ id: string }>('/v1/threads')).body.id;

const question = {
  run_id: 'run',
  tool_call_id: 'call',
  requested_responder_type: 'human',
  title: 'Deploy?',
  fields: [{ name: 'env', type: 'select', required: true, options: [{ value: 'staging' }, { value: 'production' }] }],
};

describe.each([
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
  ['2025-11-25', { supportedProtocolVersions: ['2025-11-25'] }],
  ['2025-06-18', { supportedProtocolVersions: ['2025-06-18'] }],
] as const)('version %s', (_version, pinned) => {
  test('[MC1] lists the tools with their schemas, and calls each', async () => {
    await using client = await connect({ ...pinned } as ConstructorParameters<typeof Client>[1]);
    const listed = await client.listTools();
    expect(listed.tools.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema }))).toEqual(
      Object.values(tools).map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })),
    );
    const conversation_id = await newConversation();
    const call = async (name: string, input: Record<string, unknown>) =>
      // The client validates it by the schema of the tool.
      (await client.callTool({ name, arguments: { conversation_id, ...input } })).structuredContent as {
        id: string;
        status: string;
      };
    const { id: input_request_id } = await call('create_input_request', question);
    expect(await call('get_input_request', { input_request_id })).toMatchObject({ status: 'open' });
    expect(await call('list_input_requests', {})).toMatchObject({ data: [{ id: input_request_id }] });
    expect(await call('submit_input_request_response', { input_request_id, values: { env: 'staging' } })).toMatchObject(
      { success: true, input_request: { latest_response: { values: { env: 'staging' } } } },
    );
    const other = await call('create_input_request', { ...question, tool_call_id: 'other' });
    expect(await call('cancel_input_request', { input_request_id: other.id })).toMatchObject({ status: 'cancelled' });
  });
});

test('[MC3] a refusal has the error of the call, and the current request', async () => {
  await using client = await connect({});
  const conversation_id = await newConversation();
  const created = await client.callTool({ name: 'create_input_request', arguments: { conversation_id, ...question } });
  const { id: input_request_id } = created.structuredContent as { id: string };
  const submit = { conversation_id, input_request_id, values: { env: 'staging' } };
  await client.callTool({ name: 'submit_input_request_response', arguments: submit });
  const late = await client.callTool({ name: 'submit_input_request_response', arguments: submit });
  expect(late.isError).toBe(true);
  const [refusal] = late.content as { text: string }[];
  expect(JSON.parse(refusal?.text ?? '')).toMatchObject({
    error: { code: 'interaction-already-answered' },
    input_request: { id: input_request_id, status: 'submitted' },
  });
});

test('[MC3] an unknown key gets the error unauthenticated', async () => {
  await using client = await connect({}, 'no-such-key');
  const place = { conversation_id: crypto.randomUUID(), input_request_id: crypto.randomUUID() };
  const refused = await client.callTool({ name: 'get_input_request', arguments: place });
  expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('unauthenticated') }] });
});

test('[CM8] the key may be in a file, and --help says why', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-mcp-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'key');
  writeFileSync(file, `${adminKey}\n`);
  const client = new Client({ name: 'a test', version: '1' });
  const args = [command, 'mcp', '--key-file', file, '--tools', 'input-requests'];
  const env = { PATH: process.env.PATH ?? '', HOLDPOINT_URL: server.url };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  onTestFinished(() => client.close());
  const place = { conversation_id: crypto.randomUUID(), input_request_id: crypto.randomUUID() };
  const refused = await client.callTool({ name: 'get_input_request', arguments: place });
  expect(refused).toMatchObject({ content: [{ text: expect.stringContaining('not-found') }] });
  expect((await client.listTools()).tools.map(({ name }) => name)).not.toContain('ask_human');
  const { stdout } = await runCommand([process.execPath, command, 'mcp', '--help']);
  expect(stdout).toMatch(/--key KEY .*\n?.*list of processes/);
  for (const [more, message] of [
    [['--key', 'a', '--key-file', file], 'holdpoint: give --key or --key-file, not both\n'],
    [
      ['--key', 'a', '--tools', 'all'],
      'holdpoint: --tools: the sets of tools are ask and input-requests. Write one, or both with a comma.\n',
    ],
    [['--key-file', '-'], 'holdpoint: --key-file takes a file here: standard input is for the agent\n'],
  ] as const) {
    const { stderr, code } = await runCommand([process.execPath, command, 'mcp', ...more]);
    expect({ stderr, code }).toEqual({ stderr: message, code: 2 });
  }
});
