import type { FileLink, FileRef } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import * as files from '../../files-of-tests.ts';
import { type SentUpload, upload } from '../../files-of-tests.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const content = Buffer.from(Array.from({ length: 600_000 }, (_, i) => i % 251));
const bytes: SentUpload = { name: 'a.bin', mime: 'application/octet-stream', content };

async function uploaded(sent: SentUpload = bytes): Promise<FileRef> {
  const fields = [{ name: 'photo', type: 'file_upload' }];
  const { id } = await admin.ask({ title: 'Show me', options: undefined, fields });
  const { status, body } = await upload(admin, id, sent);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const get = (
  path: string,
  { token = admin.token, method = 'GET', ...headers }: Record<string, string | undefined> = {},
) =>
  fetch(server.url + path, {
    method,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(headers as Record<string, string>) },
  });
const bodyOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('how a file is served', () => {
  test.each<[string, SentUpload, string, string]>([
    ['a PNG', {}, 'image/png', 'inline; filename="a.png"'],
    [
      'a text',
      { name: 'a.txt', mime: 'text/plain', content: files.text },
      'text/plain; charset=utf-8',
      'inline; filename="a.txt"',
    ],
    [
      'SVG',
      { name: 'a.svg', mime: 'image/svg+xml', content: files.svg },
      'image/svg+xml',
      'attachment; filename="a.svg"',
    ],
    [
      'HTML',
      { name: 'a.html', mime: 'text/html', content: files.html },
      'text/plain; charset=utf-8',
      'attachment; filename="a.html"',
    ],
    [
      'HTML without a name',
      { name: 'a', mime: '', content: files.html },
      'text/plain; charset=utf-8',
      'attachment; filename="a"',
    ],
    ['CSV', { name: 'a.csv', mime: 'text/csv', content: files.text }, 'text/csv', 'attachment; filename="a.csv"'],
    [
      'a PDF',
      { name: 'a.pdf', mime: 'application/pdf', content: files.pdf },
      'application/pdf',
      'attachment; filename="a.pdf"',
    ],
    [
      'XML',
      { name: 'a.xml', mime: 'text/xml', content: Buffer.from('<?xml version="1.0"?><a/>') },
      'application/xml',
      'attachment; filename="a.xml"',
    ],
    [
      'JavaScript',
      { name: 'a.js', mime: 'text/javascript', content: Buffer.from('alert(1)') },
      'text/plain; charset=utf-8',
      'attachment; filename="a.js"',
    ],
  ])('[UP7] %s', async (_what, sent, type, disposition) => {
    const response = await get((await uploaded(sent)).url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-disposition': disposition,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
    });
    expect(await bodyOf(response)).toEqual(Buffer.from(sent.content ?? files.png(3, 2)));
  });

  test.each([
    [
      'naïve plan ☕.bin',
      `attachment; filename="na_ve plan _.bin"; filename*=UTF-8''na%C3%AFve%20plan%20%E2%98%95.bin`,
    ],
    [
      "it's 100% (new)*.bin",
      `attachment; filename="it's 100_ (new)_.bin"; filename*=UTF-8''it%27s%20100%25%20%28new%29_.bin`,
    ],
    ['a\r\nset-cookie: b=1.bin', 'attachment; filename="aset-cookie_ b=1.bin"'],
  ])('[UP4][UP7] its name %j is one that every browser reads', async (name, expected) => {
    const response = await get((await uploaded({ ...bytes, name, isRaw: true })).url);
    expect(response.headers.get('content-disposition')).toBe(expected);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  test('[UP6][X2][X4] only to who reaches the question; for others it does not exist', async () => {
    const fields = [{ name: 'photo', type: 'file_upload' }];
    const { id, threadId } = await admin.ask({ title: 'Show me', options: undefined, fields });
    const { body } = await upload(admin, id);
    const reaching = [await admin.withToken({ interactionId: id }), await admin.withToken({ threadId })];
    for (const { token } of reaching) expect((await get(body.url, { token })).status).toBe(200);
    const others = [
      await admin.withToken({ threadId: (await admin.newThread()).id }),
      await admin.withOrg('downloads'),
    ];
    for (const other of others) {
      for (const path of [body.url, `/v1/files/${body.file_id}`])
        expect((await get(path, { token: other.token })).status).toBe(404);
      expect((await other.post(`/v1/files/${body.file_id}/links`)).status).toBe(404);
    }
    expect((await get(body.url, { token: '' })).status).toBe(401);
    const [responder] = reaching;
    expect((await responder?.call(`/v1/files/${body.file_id}`, { method: 'DELETE' }))?.status).toBe(403);
  });
});

describe('a part of a file', () => {
  test.each([
    ['bytes=0-0', 0, 1],
    ['bytes=100-', 100, 600_000],
    ['bytes=262140-262150', 262_140, 262_151],
    ['bytes=-5', 599_995, 600_000],
    ['bytes=599999-9999999', 599_999, 600_000],
    ['bytes=-9999999', 0, 600_000],
  ])('[UP8] %s', async (range, from, to) => {
    const response = await get((await uploaded()).url, { range });
    expect(response.status).toBe(206);
    expect(response.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/600000`);
    expect(response.headers.get('content-length')).toBe(String(to - from));
    expect((await bodyOf(response)).equals(content.subarray(from, to))).toBe(true);
  });

  test.each(['bytes=600000-', 'bytes=-0'])('[UP8] %s has no byte of it', async (range) => {
    const response = await get((await uploaded()).url, { range });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */600000');
    expect(await response.json()).toMatchObject({ code: 'range-not-satisfiable' });
  });

  test.each(['bytes=5-1', 'bytes=0-1,5-6', 'lines=1-2', 'bytes=-', 'bytes=a-b'])(
    '[UP8] %s is not read',
    async (range) => {
      const response = await get((await uploaded()).url, { range });
      expect(response.status).toBe(200);
      expect((await bodyOf(response)).equals(content)).toBe(true);
    },
  );

  test('[UP8] what was begun is gone on with only if it is the same', async () => {
    const { url } = await uploaded();
    const etag = (await get(url, { method: 'HEAD' })).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    const range = 'bytes=0-9';
    expect((await get(url, { range, 'if-range': etag })).status).toBe(206);
    expect((await get(url, { range, 'if-range': '"other"' })).status).toBe(200);
    expect((await get(url, { range, 'if-range': 'Sat, 01 Jan 2000 00:00:00 GMT' })).status).toBe(200);
    expect((await get(url, { 'if-none-match': `"other", ${etag}` })).status).toBe(304);
  });

  test('[UP8] HEAD says how much there is', async () => {
    const { url } = await uploaded();
    const response = await get(url, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-length')]).toEqual([200, '600000']);
    expect((await bodyOf(response)).byteLength).toBe(0);
    const part = await get(url, { method: 'HEAD', range: 'bytes=5-9' });
    expect([part.status, part.headers.get('content-length')]).toEqual([206, '5']);
  });
});

describe('a link', () => {
  const linkTo = async ({ file_id }: FileRef, body: object = {}) =>
    (await admin.post<FileLink>(`/v1/files/${file_id}/links`, body)).body;
  const status = async (path: string) => (await get(path, { token: '' })).status;

  test('[UP10] lets anybody read that file until its time, and ranges of it', async () => {
    const ref = await uploaded();
    const link = await linkTo(ref, { ttlSeconds: 600 });
    expect(Date.parse(link.expiresAt) - server.clock.now()).toBeGreaterThan(599_000);
    const response = await get(link.url, { token: '' });
    expect((await bodyOf(response)).equals(content)).toBe(true);
    expect((await get(link.url, { token: '', range: 'bytes=1-2' })).status).toBe(206);
    server.clock.offsetMs += 602_000;
    expect(await (await get(link.url, { token: '' })).json()).toMatchObject({ status: 403, code: 'forbidden' });
  });

  test('[UP10] that was changed is refused', async () => {
    const [one, two] = [await uploaded(), await uploaded()];
    const { url } = await linkTo(one);
    const parts = new URL(url, server.url);
    const changed = (change: (query: URLSearchParams) => void, id = one.file_id) => {
      const query = new URLSearchParams(parts.search);
      change(query);
      return status(`/v1/files/${id}/content?${query}`);
    };
    expect(await changed(() => {})).toBe(200);
    expect(await changed(() => {}, two.file_id)).toBe(403);
    expect(await changed((query) => query.set('expires', String(Number(query.get('expires')) + 1)))).toBe(403);
    expect(await changed((query) => query.set('org', 'other'))).toBe(403);
    expect(await changed((query) => query.delete('org'))).toBe(403);
    expect(await changed((query) => query.delete('expires'))).toBe(403);
    for (const signature of ['x', 'A'.repeat(43), '%00', '☕'])
      expect(await changed((query) => query.set('signature', signature))).toBe(403);
    // Other texts for the very same bytes.
    const right = parts.searchParams.get('signature') ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const unused = right.slice(0, -1) + alphabet.charAt(alphabet.indexOf(right.slice(-1)) ^ 1);
    for (const signature of [unused, `${right}=`, `${right} `, `${right}*`]) {
      expect(Buffer.from(signature, 'base64url')).toEqual(Buffer.from(right, 'base64url'));
      expect(await changed((query) => query.set('signature', signature))).toBe(403);
    }
    expect(await changed((query) => query.delete('signature'))).toBe(401);
    expect(await changed((query) => query.set('more', '1'))).toBe(400);
  });

  test('[UP10] leads nowhere once the file is deleted, and is not stored in an answer', async () => {
    const ref = await uploaded();
    expect(ref.url).toBe(`/v1/files/${ref.file_id}/content`);
    const { url } = await linkTo(ref);
    expect((await admin.call(`/v1/files/${ref.file_id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await status(url)).toBe(404);
    expect((await admin.call(`/v1/files/${ref.file_id}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('[UP10] that a person makes lasts an hour at most', async () => {
    const fields = [{ name: 'photo', type: 'file_upload' }];
    const { id } = await admin.ask({ title: 'Show me', options: undefined, fields });
    const ada = await admin.withToken({ interactionId: id });
    const { file_id } = (await upload(ada, id)).body;
    const secondsOf = async (by: typeof ada, ttlSeconds: number) => {
      const { body } = await by.post<FileLink>(`/v1/files/${file_id}/links`, { ttlSeconds });
      return Math.round((Date.parse(body.expiresAt) - server.clock.now()) / 1000 / 60) * 60;
    };
    expect(await secondsOf(ada, 604_800)).toBe(3_600);
    expect(await secondsOf(ada, 600)).toBe(600);
    expect(await secondsOf(admin, 604_800)).toBe(604_800);
  });

  test('[UP10] lasts a week at most', async () => {
    const { file_id } = await uploaded();
    expect((await admin.post(`/v1/files/${file_id}/links`, { ttlSeconds: 604_801 })).status).toBe(400);
  });
});
