/** ask_human on two nodes: what one has begun the other ends, and a state is good for once at both together. */
import { specTypeSchemas } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import {
  type AskResult,
  ask,
  connectMcp,
  firstRound,
  legacy,
  modern,
  nextRound,
  powers,
} from '../../mcp/mcp-client.ts';
import { adminKey, startTestServer } from '../../test-server.ts';
import { newDatabasePlace } from '../database-place.ts';

const input = { title: 'Where to?', options: ['staging', 'production'] };
const said = { action: 'accept', content: { choice: 'staging' } };

async function twoNodes() {
  const place = await newDatabasePlace();
  const nodes = [await startTestServer({ place }), await startTestServer({ place })] as const;
  onTestFinished(async () => {
    for (const node of nodes) await node[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });
  return nodes;
}

const shows = ({ url }: { url: string }) => connectMcp(url, { ...modern, capabilities: powers.form });

test('[AH4] a state that one node has sealed is taken by the other, and then by neither', async () => {
  const [a, b] = await twoNodes();
  await using atA = await shows(a);
  await using atB = await shows(b);
  const { requestState } = await firstRound(atA, input);
  const answered = (await nextRound(atB, { input, requestState, said })) as { structuredContent: AskResult };
  expect(answered.structuredContent).toMatchObject({ status: 'answered', values: { choice: 'staging' } });
  for (const client of [atA, atB])
    await expect(nextRound(client, { input, requestState, said })).rejects.toMatchObject({ code: -32_602 });
});

test('[AH4] of two uses at both nodes one succeeds, also if the question stays open', async () => {
  const [a, b] = await twoNodes();
  await using atA = await shows(a);
  await using atB = await shows(b);
  for (let round = 0; round < 5; round++) {
    const { requestState } = await firstRound(atA, input);
    const back = { input, requestState, said: { action: 'cancel' } };
    const both = await Promise.allSettled([nextRound(atA, back), nextRound(atB, back)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  }
});

test('[AH11] a reply that comes to the other node ends the call, or shows the form again, or is the answer', async () => {
  const [a, b] = await twoNodes();
  const said = [
    { action: 'accept', content: { choice: 'nowhere' } },
    { action: 'accept', content: { choice: 'production' } },
    { action: 'cancel' },
  ];
  const seen: string[] = [];
  const atBoth: typeof fetch = (url, init) => {
    const isReply = String(init?.body).includes('"result"');
    return fetch(isReply ? String(url).replace(a.url, b.url) : url, init);
  };
  await using client = await connectMcp(a.url, { ...legacy('2025-11-25'), capabilities: powers.form }, adminKey, {
    send: atBoth,
  });
  client.setRequestHandler('elicitation/create', ({ params }) => {
    seen.push(params.message);
    return said.shift() as { action: 'accept' };
  });
  expect(await ask(client, input)).toMatchObject({ status: 'answered', values: { choice: 'production' } });
  expect(await ask(client, input)).toMatchObject({ status: 'pending' });
  expect(seen).toEqual(['Where to?', expect.stringMatching(/^[^/]+\n\nWhere to\?$/), 'Where to?']);
});

test('[AH9] a task that one node has begun is read, awaited and cancelled at the other', async () => {
  const [a, b] = await twoNodes();
  await using atA = await connectMcp(a.url, legacy('2025-11-25'));
  await using atB = await connectMcp(b.url, legacy('2025-11-25'));
  const start = async () => {
    const params = { name: 'ask_human', arguments: input, task: {} };
    return (await atA.request({ method: 'tools/call', params }, specTypeSchemas.CreateTaskResult)).task.taskId;
  };
  const taskId = await start();
  const waiting = atB.request({ method: 'tasks/result', params: { taskId } }, specTypeSchemas.CallToolResult);
  await a.admin.post(`/v1/interactions/${taskId}/answers`, { values: { choice: 'production' } });
  expect((await waiting).structuredContent).toMatchObject({ status: 'answered', values: { choice: 'production' } });
  const other = await start();
  const cancelled = { method: 'tasks/cancel', params: { taskId: other } };
  expect(await atB.request(cancelled, specTypeSchemas.CancelTaskResult)).toMatchObject({ status: 'cancelled' });
});
