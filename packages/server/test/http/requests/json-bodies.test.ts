/** The server rejects JSON that two readers could read differently, on every route. */
import { limits, type Problem, type Thread } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer } from '../../test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

interface Refusal {
  code: string;
  detail: string;
  errors?: Problem[];
}

async function send(path: string, body: string | Buffer<ArrayBuffer>) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json', accept: '*/*' },
    body,
  });
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Refusal };
}

const threads = async () => (await server.admin.get<{ data: Thread[] }>('/v1/threads')).body.data.length;

/** One call of each dialect, of MCP, and of a page. */
const places = [
  '/v1/threads',
  '/api/v1/chats',
  '/api/v1/chats/c1/messages',
  '/api/public/v1/chat/sessions',
  '/conversations',
  '/spec/v1/interactions',
  '/mcp',
  '/console/session',
];

describe('keys that are there twice', () => {
  test.each([
    ['{"title":"a","title":"b"}', '/title', 'title'],
    ['{"metadata":{"a":{"b":1,"c":2,"b":3}}}', '/metadata/a/b', 'b'],
    ['{"metadata":{"list":[{},{"x":"]},","y":[1,2],"x":2}]}}', '/metadata/list/1/x', 'x'],
    ['{"\\u0061":1,"a":2}', '/a', 'a'],
    ['{"a\\"":1,"a\\"":2}', '/a"', 'a"'],
    ['{"a\\\\":1,"a\\\\":2}', '/a\\', 'a\\'],
    ['{"a/b~":1 , "a/b~" : 2}', '/a~1b~0', 'a/b~'],
    ['{"":1,"":2}', '/', ''],
  ])('[X30] %s is refused, and it is said which', async (text, pointer, key) => {
    const before = await threads();
    const { status, body } = await send('/v1/threads', text);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'malformed-body', errors: [{ pointer, code: 'duplicate-key' }] });
    expect(body.detail).toContain(JSON.stringify(key));
    expect(await threads()).toBe(before);
  });

  test('[X30] every dialect, MCP and the console refuse them, and name the key', async () => {
    for (const path of places) {
      const { status, text } = await send(path, '{"outer":{"twice":1,"twice":2}}');
      expect(status, path).toBe(400);
      expect(text, path).toContain('twice');
    }
  });

  test('[X30] the same key in different objects, and colons in texts, are read', async () => {
    const metadata = { a: { a: { a: ':' } }, list: [{ a: 1 }, { a: '": "' }], 'x:"y': '\\', z: '{"a":1,"a":2}' };
    const { status, body } = await server.admin.post<Thread>('/v1/threads', { title: 'T:\\"', metadata });
    expect(status).toBe(201);
    expect(body.metadata).toEqual(metadata);
  });
});

describe('bytes that are not UTF-8', () => {
  const around = (...bytes: number[]) =>
    Buffer.concat([Buffer.from('{"title":"ä'), Buffer.from(bytes), Buffer.from('"}')]);

  test.each([
    ['a byte that begins nothing', [0xff]],
    ['a character that is cut off', [0xe2, 0x82]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a pair', [0xed, 0xa0, 0x80]],
    ['Latin-1', [0xe9]],
  ])('[X30] %s is refused, with its place', async (_name, bytes) => {
    const { status, body } = await send('/v1/threads', around(...bytes));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'malformed-body', detail: expect.stringMatching(/not valid UTF-8.*byte 12/) });
  });

  test('[X30] every dialect, MCP and the console refuse them', async () => {
    for (const path of places) {
      const { status, text } = await send(path, around(0xff));
      expect(status, path).toBe(400);
      expect(text, path).toMatch(/UTF-8|JSON/);
    }
  });

  test('[X30] text of any language is read, and so is the character that stands for a lost one', async () => {
    const title = 'é € 😀 \ufffd شما \u0000';
    const { status, body } = await server.admin.post<Thread>('/v1/threads', { title });
    expect(status).toBe(201);
    expect(body.title).toBe(title);
  });
});

describe('objects with many keys', () => {
  const withKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

  test('[X31] an object may have so many, and one more is refused before it is parsed', async () => {
    const most = await send('/v1/threads', JSON.stringify(withKeys(limits.objectKeys)));
    expect(most.body).toMatchObject({ code: 'invalid-input' });
    expect(most.body.errors).toHaveLength(limits.problems);
    const more = await send('/v1/threads', JSON.stringify({ list: [withKeys(limits.objectKeys + 1)] }));
    expect(more).toMatchObject({ status: 400, body: { code: 'malformed-body' } });
    expect(more.body.detail).toContain('10,000');
    expect(more.body.errors).toBeUndefined();
  });

  test('[X31] a list of problems ends by saying that there are more', async () => {
    const { body } = await send('/v1/threads', JSON.stringify(withKeys(5_000)));
    expect(body.errors?.at(-1)).toEqual({ pointer: '', code: 'more', message: 'There are more problems than these.' });
    expect(body.errors?.slice(0, -1).every(({ code }) => code === 'unknown-property')).toBe(true);
  });
});
