/** What a page reads again after a reload: what was said, and what the visitor has uploaded. */
import type { FileRef, Message } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import * as files from '../files-of-tests.ts';
import { upload as uploadNatively } from '../files-of-tests.ts';
import { api, type Block, expectRefused, type ReplyOrError, said, startSite, type Widget } from './blocks-client.ts';

const site = await startSite();
afterAll(() => site[Symbol.asyncDispose]());
const { open, server, admin } = site;

interface History {
  conversationId: string;
  executionId: string | null;
  messages: { id: string; role: string; createdAt: string; blocks: Block[] }[];
  next: string | null;
}

const historyOf = async ({ client }: Widget, query = ''): Promise<History> => {
  const { status, body } = await client.get<History>(`${api}/messages${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const lines = ({ messages }: History) => messages.map(({ role, blocks }) => [role, blocks[0]?.payload.text]);

describe('the history', () => {
  test('[BL10] has what everybody has said, with its role, and the ids of replies', async () => {
    const widget = await open();
    expect(await historyOf(widget)).toEqual({
      ...{ conversationId: widget.conversationId, executionId: null, messages: [], next: null },
    });
    const reply = await widget.say('hello');
    const post = (message: object) => admin.post<Message>(`/v1/threads/${widget.conversationId}/messages`, message);
    await post({ role: 'system', text: 'A colleague takes over.' });
    await post({ role: 'tool', text: 'rows: 3' });
    await post({ role: 'agent', streaming: true });
    const history = await historyOf(widget);
    expect(lines(history)).toEqual([
      ['user', 'hello'],
      ['agent', 'Hello.'],
      ['agent', '**What** now?'],
      ['system', 'A colleague takes over.'],
    ]);
    expect(history).toMatchObject({ executionId: reply.executionId, next: null });
    expect(history.messages.flatMap(({ role, blocks }) => (role === 'agent' ? blocks : []))).toEqual(reply.blocks);
    for (const message of history.messages) {
      expect(Object.keys(message).toSorted()).toEqual(['blocks', 'createdAt', 'id', 'role']);
      expect(message.blocks[0]?.payload.role).toBe(message.role);
    }
  });

  test('[BL10] comes in pages, the newest first', async () => {
    const widget = await open();
    await widget.say('hello');
    await widget.say('What?');
    const newest = await historyOf(widget, '?limit=2');
    expect(lines(newest)).toEqual([
      ['user', 'What?'],
      ['agent', 'What?'],
    ]);
    const older = await historyOf(widget, `?limit=200&cursor=${encodeURIComponent(newest.next ?? '')}`);
    expect(lines(older)).toEqual([
      ['user', 'hello'],
      ['agent', 'Hello.'],
      ['agent', '**What** now?'],
    ]);
    expectRefused(await widget.client.get<ReplyOrError>(`${api}/messages?limit=0`), 400, 'invalid_input');
    expectRefused(await widget.client.get<ReplyOrError>(`${api}/messages?cursor=x`), 400, 'invalid_cursor');
  });

  test('[BL10] names the execution that waits, so that a page that was loaded again can resume it', async () => {
    const widget = await open();
    const asked = await widget.say('choice');
    const { executionId } = await historyOf(widget);
    const again = await widget.poll(executionId ?? '');
    expect(again).toEqual(asked);
    const [block] = again.blocks;
    expect((await widget.resume(again, { [String(block?.payload.name)]: 'a' })).status).toBe(200);
  });

  test('[BL10] before a worker has begun, the execution goes by the message', async () => {
    const widget = await open({ publicKey: await site.newKey({ agent: 'nobody' }) });
    const { reply } = (await widget.send({ text: 'Anybody?' }, '?waitMs=0')).body;
    const { executionId, messages } = await historyOf(widget);
    expect(executionId).toBe(reply.executionId);
    expect(executionId).toBe(messages[0]?.id);
    expect((await widget.poll(executionId ?? '')).status).toBe('running');
  });

  test('[BL10] is of the session’s own conversation, and of nobody without one', async () => {
    const [one, other] = [await open(), await open()];
    await one.say('hello');
    expect((await historyOf(other)).messages).toEqual([]);
    for (const token of [undefined, admin.token, site.publicKey])
      expectRefused(await admin.as(token).get<ReplyOrError>(`${api}/messages`), 401, 'invalid_session_token');
  });
});

describe('uploads', () => {
  const send = async (
    { client }: Widget,
    executionId: string,
    field: string,
    body?: RequestInit['body'],
    more = {},
  ) => {
    const query = new URLSearchParams({ executionId, field });
    const response = await fetch(`${server.url}${api}/uploads?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, ...more },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as FileRef & ReplyOrError,
    };
  };
  const formOf = (...parts: [name: string, fileName: string][]) => {
    const form = new FormData();
    for (const [name, fileName] of parts) form.append(name, new Blob(['a,b\n1,2\n'], { type: 'text/csv' }), fileName);
    return form;
  };
  const read = ({ client }: Widget, url: string, headers = {}) =>
    fetch(server.url + url, { headers: { authorization: `Bearer ${client.token}`, ...headers } });

  test('[BL11] a session reads what it has uploaded, whole or in part, before and after the answer', async () => {
    const widget = await open();
    const asked = await widget.say('form');
    const { body: ref } = await send(widget, asked.executionId, 'report', formOf(['file', 'r.csv']));
    const picture = new FormData();
    picture.append('file', new Blob([files.png(1, 1)], { type: 'image/png' }), 'a.png');
    const { body: photo } = await send(widget, asked.executionId, 'photos', picture);
    expect(ref.url).toBe(`${api}/uploads/${ref.file_id}`);
    const whole = await read(widget, ref.url);
    expect(whole.headers.get('access-control-allow-origin')).toBe('*');
    expect(whole.headers.get('content-security-policy')).toContain('sandbox');
    expect(await whole.text()).toBe('a,b\n1,2\n');
    const part = await read(widget, ref.url, { range: 'bytes=0-2' });
    expect([part.status, await part.text()]).toEqual([206, 'a,b']);
    expect((await widget.resume(asked, { name: 'Ada', report: ref, photos: [photo] })).status).toBe(200);
    // The report is transient: it goes when the run ends.
    expect((await read(widget, photo.url)).status).toBe(200);
  });

  test('[BL11] a session reads nobody else’s files, and none by the native address', async () => {
    const [widget, other] = [await open(), await open()];
    const asked = await widget.say('form');
    const { body: mine } = await send(widget, asked.executionId, 'report', formOf(['file', 'r.csv']));
    const theirs = await read(other, mine.url);
    expect([theirs.status, await theirs.json()]).toMatchObject([404, { error: 'file_not_found' }]);
    // Staff may upload for the same question, in the same conversation.
    const { waitToken } = asked;
    const questionId = String(waitToken).replace('question.', '');
    const staff = await uploadNatively(admin, questionId, { field: 'photos', content: files.png(1, 1), name: 'a.png' });
    expect(staff.status).toBe(201);
    expect((await read(widget, `${api}/uploads/${staff.body.file_id}`)).status).toBe(404);
    for (const path of [`/v1/files/${mine.file_id}`, `/v1/files/${mine.file_id}/content`])
      expect((await read(widget, path)).status).toBe(403);
    for (const token of [undefined, admin.token, site.publicKey])
      expectRefused(await admin.as(token).get<ReplyOrError>(mine.url), 401, 'invalid_session_token');
  });

  test('[UP32][BL7] two files in one upload, and an upload without a body, are refused', async () => {
    const widget = await open();
    const { executionId } = await widget.say('form');
    const csv = 'text/csv';
    for (const [body, headers] of [
      [formOf(['file', 'a.csv'], ['file', 'b.csv']), {}],
      [formOf(['file', 'a.csv'], ['other', 'b.csv']), {}],
      [formOf(['other', 'a.csv']), {}],
      [formOf(), {}],
      [undefined, {}],
      [undefined, { 'content-type': csv }],
      ['', { 'content-type': csv }],
    ] as [RequestInit['body'], object][]) {
      const { details } = expectRefused(await send(widget, executionId, 'report', body, headers), 400, 'invalid_input');
      expect(details).toMatchObject([{ field: 'file' }]);
    }
    expect((await send(widget, executionId, 'report', formOf(['file', 'a.csv']))).status).toBe(201);
  });
});

test('[BL12] blocks without anything to show are left out of replies and of the history', async () => {
  const widget = await open();
  const reply = await widget.say('malformed');
  expect(said(reply)).toEqual(['Still here']);
  expect(lines(await historyOf(widget))).toEqual([
    ['user', 'malformed'],
    ['agent', 'Still here'],
  ]);
});
