/** A question of which nothing can be read is refused, however it is asked. */
import type { Interaction, Page, Problem } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const blank = '\u200b\u3164';
type Refused = { code: string; errors: Problem[] };

test('[X32] a title, a label or a button of which nothing can be seen is refused, and nothing is stored', async () => {
  const { id } = await admin.newThread();
  const reply = await admin.post<Refused>(`/v1/threads/${id}/interactions`, {
    title: blank,
    submitLabel: blank,
    fields: [
      { name: 'a', type: 'text', label: blank },
      { name: 'b', type: 'radio', options: [{ value: 'x', label: blank }] },
    ],
  });
  expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input' } });
  expect(reply.body.errors.map(({ pointer }) => pointer).sort()).toEqual([
    '/fields/0/label',
    '/fields/1/options/0/label',
    '/submitLabel',
    '/title',
  ]);
  expect((await admin.get<Page<Interaction>>(`/v1/interactions?threadId=${id}`)).body.data).toEqual([]);
});

test('[X32] a question is not changed into one of which nothing can be seen', async () => {
  const asked = await admin.ask();
  const reply = await admin.patch<Refused>(`/v1/interactions/${asked.id}`, { title: blank });
  expect(reply.status).toBe(400);
  expect(reply.body.errors).toContainEqual(expect.objectContaining({ pointer: '/title', code: 'required' }));
  const { body } = await admin.get<Interaction>(`/v1/interactions/${asked.id}`);
  expect(body).toMatchObject({ title: asked.title, version: asked.version });
});

test('[X32] every dialect refuses it', async () => {
  const { id } = await admin.newThread();
  const calls: [path: string, body: object][] = [
    [`/api/v1/chats/${id}/requests`, { type: 'choice', title: blank, config: { options: [{ id: 'a', label: 'A' }] } }],
    [
      `/conversations/${id}/input-requests`,
      {
        ...{ run_id: 'r', tool_call_id: 't', title: blank, requested_responder_type: 'human' },
        fields: [{ name: 'a', type: 'text', label: 'A', required: true }],
      },
    ],
    ['/spec/v1/interactions', { runId: 'r', attemptId: '1', kind: 'approval', prompt: { title: blank } }],
  ];
  for (const [path, body] of calls) {
    const refused = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await refused.text();
    expect([path, refused.status, text]).toEqual([path, 400, expect.stringContaining('no visible characters')]);
    const asked = JSON.stringify(body).replaceAll(blank, 'Go?');
    expect((await admin.post(path, JSON.parse(asked))).status, path).toBe(201);
  }
});
