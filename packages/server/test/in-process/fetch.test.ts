/** What createHoldpoint serves over HTTP, in the words of fetch: the same as a server, without a port. */
import { choice, fileUpload, form, Holdpoint } from '@holdpoint/client';
import type { FileRef, Interaction } from '@holdpoint/protocol';
import { expect, onTestFinished, test } from 'vitest';
import { newPlace } from '../new-place.ts';
import { embeddedHoldpoint, embedOn } from './embedded.ts';

const adminKey = 'embedded-admin-key';
const origin = 'http://app.example.com';
const authorization = `Bearer ${adminKey}`;
const json = { authorization, 'content-type': 'application/json' };

async function served(more: { publicUrl?: string } = {}) {
  const hp = await embeddedHoldpoint({ adminKey, ...more });
  const thread = await hp.createThread({ title: 'Releases' });
  const get = (path: string, init: RequestInit = {}) =>
    hp.fetch(new Request(origin + path, { headers: { authorization }, ...init }));
  const post = (path: string, body: unknown, headers: Record<string, string> = json) =>
    hp.fetch(new Request(origin + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  const gauge = async (name: string) => {
    const metrics = await (await get('/metrics')).text();
    return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(metrics)?.[1]);
  };
  return { hp, thread, get, post, gauge };
}

test('[IP7] the API, other protocols, MCP, the pages and the widget are served, and no port is opened', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPServerWrap').length;
  const before = ports();
  const { hp, thread, get, post } = await served({ publicUrl: origin });
  const asking = await post(`/v1/threads/${thread.id}/interactions`, choice(['yes', 'no'], { title: 'Go?' }));
  const asked = (await asking.json()) as Interaction;
  expect(await hp.get(asked.id)).toMatchObject({ title: 'Go?', status: 'pending' });
  expect(await (await get('/api/v1/chats')).json()).toMatchObject({ data: [{ id: thread.id }] });

  const { url = '' } = await hp.mintResponderToken({ responderId: 'ada', interactionId: asked.id });
  const page = await hp.fetch(new Request(url));
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('/widget/answer.js');
  for (const path of ['/', '/console', '/docs', '/openapi.json', '/healthz'])
    expect((await get(path)).status, path).toBe(200);

  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const accept = 'application/json, text/event-stream';
  const tools = await post('/mcp', call, { ...json, accept, 'mcp-protocol-version': '2025-11-25' });
  expect(await tools.text()).toContain('ask_human');

  const head = await get('/healthz', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: null });
  for (const path of ['/v1/threads', '/metrics']) expect((await get(path, { headers: {} })).status, path).toBe(401);
  expect((await get('/nowhere')).status).toBe(404);
  expect(ports()).toBe(before);
});

test('[IP7] a long poll waits, is answered, and ends with its caller', async () => {
  const { hp, thread, get, gauge } = await served();
  const { id } = await hp.create(thread, choice(['yes', 'no'], { title: 'Go?' }));
  const path = `/v1/interactions/${id}/wait?timeoutMs=60000`;
  const gone = new AbortController();
  const aborted = get(path, { headers: { authorization }, signal: gone.signal });
  const waiting = get(path);
  await expect.poll(() => gauge('holdpoint_waiters')).toBe(2);
  gone.abort();
  expect((await aborted).status).toBe(499);
  await expect.poll(() => gauge('holdpoint_waiters')).toBe(1);
  await hp.answer(id, { choice: 'yes' });
  expect(await (await waiting).json()).toMatchObject({ status: 'answered' });
});

test.each(['cancel', 'abort'] as const)(
  '[IP7] events come as they happen, until their reader goes: by %s',
  async (how) => {
    const { hp, thread, get, gauge } = await served();
    const gone = new AbortController();
    const { body, headers } = await get('/v1/events', { headers: { authorization }, signal: gone.signal });
    expect(headers.get('content-type')).toContain('text/event-stream');
    expect(headers.has('transfer-encoding')).toBe(false);
    const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader.read()).value).toContain('retry: 1000');
    /** Reads past keep-alive comments, which come every 15 seconds. */
    const nextEvent = async () => {
      let text: string | undefined;
      do text = (await reader.read()).value;
      while (text?.startsWith(':'));
      return text;
    };
    for (const text of ['one', 'two']) {
      await hp.postMessage({ threadId: thread.id, text });
      expect(await nextEvent()).toContain(`"${text}"`);
    }
    expect(await gauge('holdpoint_streams')).toBe(1);
    if (how === 'cancel') await reader.cancel();
    else {
      gone.abort();
      await expect(reader.read()).rejects.toThrow('aborted');
    }
    await expect.poll(() => gauge('holdpoint_streams')).toBe(0);
  },
);

test('[IP7] files go through piece by piece, and come back as they were', async () => {
  const { hp, thread, get } = await served();
  const { id } = await hp.create(thread, form({ log: fileUpload() }, { title: 'Show me' }));
  const content = Buffer.alloc(3_000_000, Buffer.from([0, 255, 13, 10]));
  const pieces = ReadableStream.from([content.subarray(0, 1_000_000), content.subarray(1_000_000)]);
  const headers = { authorization, 'content-type': 'application/octet-stream' };
  const init = { method: 'POST', headers, body: pieces, duplex: 'half' } as RequestInit;
  const uploaded = await get(`/v1/interactions/${id}/uploads?field=log&name=a.bin`, init);
  expect(uploaded.status).toBe(201);
  const { url } = (await uploaded.json()) as FileRef;
  expect(Buffer.from(await (await get(url)).arrayBuffer()).equals(content)).toBe(true);
});

test('[IP7] a body that is too large is refused while it is still being sent', async () => {
  const { get } = await served();
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
  });
  const refused = await get('/v1/threads', {
    method: 'POST',
    headers: json,
    body: endless,
    duplex: 'half',
  } as RequestInit);
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ code: 'body-too-large' });
});

test('[IP7] a body that breaks off stores nothing, and one that is not as long as announced is no second request', async () => {
  const { hp, get } = await served();
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('{"title":')),
    pull: (controller) => controller.error(new Error('the caller is gone')),
  });
  const options = { method: 'POST', duplex: 'half' };
  await expect(get('/v1/threads', { ...options, headers: json, body: broken } as RequestInit)).rejects.toThrow(
    'is gone',
  );
  const head = `POST /v1/threads HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\n`;
  const { body } = new Response(`[]${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`);
  const headers = { ...json, 'content-length': '2' };
  const refused = await get('/v1/threads', { ...options, headers, body } as RequestInit).catch(() => undefined);
  expect(refused?.ok ?? false).toBe(false);
  await get('/healthz');
  expect((await hp.listThreads({})).data).toHaveLength(1);
});

test('[IP8] no request is of this machine, whatever it says: the console takes a sign-in link', async () => {
  const { hp, get } = await served({ publicUrl: origin });
  const own = { 'x-holdpoint-console': '1', 'content-type': 'application/json' };
  const signIn = (body: object, url = 'http://127.0.0.1:7400', address?: string) =>
    hp.fetch(
      new Request(`${url}/console/session`, { method: 'POST', headers: own, body: JSON.stringify(body) }),
      address === undefined ? undefined : { address },
    );
  for (const address of [undefined, '127.0.0.1', '::1']) {
    const entered = await signIn({}, 'http://127.0.0.1:7400', address);
    expect(entered.status).toBe(400);
    expect(entered.headers.has('set-cookie')).toBe(false);
  }
  expect(await (await get('/console/session', { headers: own })).json()).toEqual({ signedIn: false });
  expect((await signIn({ link: 'another link' })).status).toBe(410);
  const { url } = await hp.createSignInLink({});
  const entered = await signIn({ link: url.slice(url.lastIndexOf('/') + 1), name: 'Ada' }, origin);
  expect(entered.status).toBe(200);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect((await get('/v1/threads', { headers: { ...own, cookie } })).status).toBe(200);
  expect((await get('/v1/threads', { headers: { ...own, cookie, origin: 'http://evil.example' } })).status).toBe(403);
});

test('[IP8] callers are counted by the address that the app says, and as one without it', async () => {
  const { hp } = await served();
  const signIn = (address?: string) =>
    hp.fetch(
      new Request(`${origin}/console/session`, {
        method: 'POST',
        headers: {
          'x-holdpoint-console': '1',
          'content-type': 'application/json',
          'x-forwarded-for': crypto.randomUUID(),
        },
        body: '{"link":"wrong"}',
      }),
      { address },
    );
  const tries = (address?: string) => Promise.all(Array.from({ length: 22 }, () => signIn(address)));
  const statuses = async (address?: string) => new Set((await tries(address)).map(({ status }) => status));
  expect(await statuses('192.0.2.1')).toEqual(new Set([410, 429]));
  expect((await signIn('192.0.2.2')).status).toBe(410);
  expect(await statuses()).toEqual(new Set([410, 429]));
});

test('[IP9] close answers who waits, ends streams, and refuses what comes later with 503', async () => {
  const place = await newPlace();
  onTestFinished(() => place[Symbol.asyncDispose]());
  const hp = await embedOn(place, { adminKey });
  const thread = await hp.createThread({});
  const { id } = await hp.create(thread, choice(['yes', 'no'], { title: 'Go?' }));
  const get = (path: string) => hp.fetch(new Request(origin + path, { headers: { authorization } }));
  const stream = await get('/v1/events');
  const waiting = get(`/v1/interactions/${id}/wait?timeoutMs=60000`);
  const metrics = async () => (await get('/metrics')).text();
  await expect.poll(metrics).toContain('holdpoint_waiters 1');
  const closing = hp.close();
  expect(await (await waiting).json()).toMatchObject({ id, status: 'pending' });
  expect(await stream.text()).toContain('retry: 1000');
  await closing;
  expect(await place.isClosedInOrder()).toBe(true);
  const late = await get('/v1/threads');
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({ code: 'shutting-down' });
});

test('[IP7] a client over fetch is a client', async () => {
  const { hp, thread } = await served();
  const fetchHere = (url: string | URL | Request, init?: RequestInit) => hp.fetch(new Request(url, init));
  const client = new Holdpoint({ url: origin, key: adminKey, fetch: fetchHere });
  const asking = client.ask(thread, choice(['yes', 'no'], { title: 'Go?' }));
  await expect.poll(async () => (await hp.listInteractions({ status: 'pending' })).data).toHaveLength(1);
  const [asked] = (await hp.listInteractions({ status: 'pending' })).data;
  await hp.answer(asked?.id ?? '', { choice: 'no' });
  expect(await asking).toMatchObject({ status: 'answered', values: { choice: 'no' } });
});
