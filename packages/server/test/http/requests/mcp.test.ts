/** What /mcp says before a call is one; the calls themselves are in the conformance cases. */
import { afterAll, expect, test } from 'vitest';
import { Client } from '../../client.ts';
import { adminKey, startTestServer } from '../../test-server.ts';

const server = await startTestServer({ corsOrigins: ['https://app.example.com'] });
afterAll(() => server[Symbol.asyncDispose]());

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a test', version: '1' } },
};

async function post(headers: Record<string, string> = {}, body = JSON.stringify(initialize), query = '') {
  const response = await fetch(`${server.url}/mcp${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${adminKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

test('[MC4] a page of a foreign origin is refused before its key is looked at', async () => {
  for (const origin of ['https://evil.example.com', 'null', 'not an origin'])
    expect(await post({ origin, authorization: 'Bearer unknown' }), origin).toMatchObject({
      status: 403,
      text: expect.stringContaining('"code":"forbidden"'),
    });
  for (const origin of ['https://app.example.com', 'http://localhost:5173', 'http://127.0.0.1:8080'])
    expect((await post({ origin })).status, origin).toBe(200);
});

test('[MC2] a key is asked for, and shows nowhere', async () => {
  const refused = await post({ authorization: 'Bearer unknown' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toBe('Bearer');
  expect((await post()).text).not.toContain(adminKey);
});

test('[MC2] each request stands alone: no session is given, and there is nothing to GET or DELETE', async () => {
  expect((await post()).headers.has('mcp-session-id')).toBe(false);
  const client = new Client(server.url, adminKey);
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await client.call('/mcp', { method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  }
});

const namesAt = async (query: string) => {
  const { text } = await post({}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), query);
  const { result } = JSON.parse(text.slice(text.indexOf('{'))) as { result: { tools: { name: string }[] } };
  return { names: result.tools.map(({ name }) => name), bytes: JSON.stringify(result).length };
};

test('[MC5] the small set is offered, and the others by their names', async () => {
  const ask = ['ask_human', 'wait_for_human'];
  const { names, bytes } = await namesAt('');
  expect(names).toEqual(ask);
  expect(bytes).toBeLessThan(11_000);
  const others = (await namesAt('?tools=input-requests')).names;
  expect(others).toHaveLength(5);
  expect(others).toContain('create_input_request');
  for (const query of ['?tools=ask,input-requests', '?tools=input-requests,%20ask'])
    expect((await namesAt(query)).names).toEqual([...ask, ...others]);
});

test('[MC5] a set that there is not is refused, and a tool of another set is not found', async () => {
  for (const query of ['?tools=all', '?tools=', '?tools=ask,', '?tools=toString']) {
    const { status, text } = await post({}, undefined, query);
    expect([status, text], query).toEqual([400, expect.stringContaining('ask and input-requests')]);
  }
  const params = { name: 'create_input_request', arguments: {} };
  const { text } = await post({}, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  expect(text).toContain('Tool create_input_request not found: it is in the set input-requests');
});

test('[MC2] a client that shows forms carries that from request to request, and no other gets an id', async () => {
  const asIf = async (capabilities: object) => {
    const { headers } = await post(
      {},
      JSON.stringify({ ...initialize, params: { ...initialize.params, capabilities } }),
    );
    return headers.get('mcp-session-id');
  };
  expect(await asIf({ elicitation: {} })).toMatch(/^forms\.[0-9a-f-]{36}$/);
  expect(await asIf({ elicitation: { form: {} } })).toMatch(/^forms\./);
  expect(await asIf({ elicitation: { url: {} } })).toBeNull();
  expect(await asIf({ elicitation: null })).toBeNull();
});

test('[MC3] a batch, which would be a way round the limits of calls, is refused', async () => {
  const { status, text } = await post({}, JSON.stringify([initialize, initialize]));
  expect([status, JSON.parse(text)]).toMatchObject([400, { jsonrpc: '2.0', id: null }]);
});

test('[MC2] what cannot be read is an error of JSON-RPC', async () => {
  const { status, text } = await post({}, '{"jsonrpc":');
  expect(status).toBe(400);
  expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_700 }, id: null });
});
