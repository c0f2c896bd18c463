import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { httpService } from '@holdpoint/client';
import { form, HoldpointError, imageUpload, text } from '@holdpoint/protocol';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminKey, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const service = () => httpService({ url: `${server.url}/`, key: adminKey });
const faultOf = (error: unknown) => (error instanceof HoldpointError ? error.fault : error);

describe('a call', () => {
  test('[CL1] has its input in path, query, body and header, and gives what the server gives', async () => {
    const thread = await service().createThread({ title: 'One', idempotencyKey: 'one' });
    expect(await service().createThread({ title: 'One', idempotencyKey: 'one' })).toEqual(thread);
    const threadId = thread.id;
    const asked = await service().createInteraction({ threadId, ...form({ name: text() }, { title: 'Who?' }) });
    const waiting = service().waitForInteraction({ interactionId: asked.id, timeoutMs: 20_000 });
    await service().submitAnswer({ interactionId: asked.id, values: { name: 'Ann' } });
    expect(await waiting).toMatchObject({ status: 'answered', answer: { values: { name: 'Ann' } } });
    const first = await service().readLog({ threadId, limit: 2 });
    expect(first.data.map(({ type }) => type)).toEqual(['thread.created', 'interaction.created']);
    expect((await service().readLog({ threadId, after: Number(first.next) })).data).toHaveLength(1);
    await service().updateDispatchSettings({ threadId, mode: 'sequential' });
    expect((await service().getDispatchSettings({ threadId })).mode).toBe('sequential');
    expect((await service().getDispatchSettings({})).mode).toBe('batched_sequential');
  });

  test('[CL2] that is refused throws the error that the verb would have thrown', async () => {
    const { id: threadId } = await service().createThread({});
    const refused = await service().createInteraction({ threadId, title: '' }).catch(faultOf);
    expect(refused).toMatchObject({ code: 'invalid-input', problems: [{ pointer: '/title' }] });
    const asked = await service().createInteraction({ threadId, title: 'Who?' });
    await service().cancelInteraction({ interactionId: asked.id });
    const late = await service()
      .submitAnswer({ interactionId: asked.id, values: { text: 'x' } })
      .catch(faultOf);
    expect(late).toMatchObject({ code: 'interaction-cancelled', current: { status: 'cancelled' } });
  });

  test('[CL1] ends with the signal of its caller', async () => {
    const { id: threadId } = await service().createThread({});
    const { id: interactionId } = await service().createInteraction({ threadId, title: 'Who?' });
    const stop = new AbortController();
    const waiting = service().waitForInteraction({ interactionId, timeoutMs: 60_000, signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ fault: { detail: 'The caller stopped the call.' } });
  });

  test('[CL1] carries files piece by piece, both ways', async () => {
    const { id: threadId } = await service().createThread({});
    const asked = await service().createInteraction({ threadId, ...form({ photo: imageUpload() }) });
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    async function* content() {
      yield png.subarray(0, 20);
      yield png.subarray(20);
    }
    const ref = await service().uploadFile({
      interactionId: asked.id,
      field: 'photo',
      name: 'a b.png',
      content: content(),
    });
    const opened = await service().openFile({ fileId: ref.file_id, from: 1, to: 4 });
    const pieces: Uint8Array[] = [];
    for await (const piece of opened.content) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe('PNG');
    expect(opened.file).toMatchObject({ mime: 'image/png', size: png.length });
  });

  test('[CL1] leaves no bytes of a file that is refused open', async () => {
    let open = 0;
    const fetch = async (url: unknown) => {
      if (!String(url).includes('/content')) return Response.json({ code: 'file-not-found' }, { status: 404 });
      open++;
      return new Response(new ReadableStream({ cancel: () => void open-- }));
    };
    const refused = httpService({ url: server.url, key: adminKey, fetch }).openFile({ fileId: 'f' });
    await expect(refused).rejects.toMatchObject({ code: 'file-not-found' });
    await expect.poll(() => open).toBe(0);
  });
});

describe('where there is no server', () => {
  /** A stand-in with prepared responses. */
  async function standIn(listener: RequestListener): Promise<string> {
    const stand = createServer(listener).listen(0, '127.0.0.1');
    onTestFinished(() => void stand.close());
    await new Promise((resolve) => stand.once('listening', resolve));
    return `http://127.0.0.1:${(stand.address() as AddressInfo).port}`;
  }

  test('[CL3] what can be repeated is tried again, and nothing else after a lost connection', async () => {
    const seen: string[] = [];
    const url = await standIn((request, response) => {
      seen.push(request.method ?? '');
      if (seen.length === 1) request.socket.destroy();
      else if (seen.length === 2) response.writeHead(503, { 'retry-after': '0' }).end();
      else response.end('{"data":[]}');
    });
    expect(await httpService({ url, key: 'k' }).listThreads({})).toEqual({ data: [] });
    expect(seen).toHaveLength(3);
    seen.length = 0;
    const changed = httpService({ url, key: 'k' }).updateThread({ threadId: 't', title: 'x', idempotencyKey: 'k' });
    await expect(changed).rejects.toThrow('cannot be reached');
    expect(seen).toEqual(['PATCH']);
  });

  test('[CL4] a write is sent again under the same key, given or its own, and one that shows a secret only under one that is given', async () => {
    const keys: (string | undefined)[] = [];
    const url = await standIn((request, response) => {
      keys.push(request.headers['idempotency-key'] as string | undefined);
      if (keys.length === 1) request.socket.destroy();
      else response.end('{}');
    });
    const service = httpService({ url, key: 'k' });
    const sentWith = async (call: () => Promise<unknown>) => {
      keys.length = 0;
      const isDone = await call().then(
        () => true,
        () => false,
      );
      return { isDone, keys: [...keys] };
    };
    const own = await sentWith(() => service.postMessage({ threadId: 't', text: 'x' }));
    expect(own).toEqual({ isDone: true, keys: [expect.stringMatching(/^[\da-f]{32}$/), own.keys[0]] });
    const other = await sentWith(() => service.postMessage({ threadId: 't', text: 'x' }));
    expect(other.keys[0]).not.toBe(own.keys[0]);
    const given = await sentWith(() => service.postMessage({ threadId: 't', text: 'x', idempotencyKey: 'mine' }));
    expect(given).toEqual({ isDone: true, keys: ['mine', 'mine'] });
    const secret = { name: 'one', role: 'agent' } as const;
    expect(await sentWith(() => service.createApiKey(secret))).toEqual({ isDone: false, keys: [undefined] });
    const kept = await sentWith(() => service.createApiKey({ ...secret, idempotencyKey: 'mine' }));
    expect(kept).toEqual({ isDone: true, keys: ['mine', 'mine'] });
    // From an option that nobody set.
    const unset = { threadId: 't', text: 'x', idempotencyKey: undefined } as unknown as { threadId: string };
    const still = await sentWith(() => service.postMessage(unset));
    expect(still).toEqual({ isDone: true, keys: [expect.stringMatching(/^[\da-f]{32}$/), still.keys[0]] });
  });

  test('[CL3] where the storage failed, nobody knows what was changed, and only what can be repeated is', async () => {
    const seen: string[] = [];
    const url = await standIn((request, response) => {
      seen.push(request.method ?? '');
      const fault = { code: 'storage-unavailable', detail: 'The change may or may not be stored.', retryable: true };
      if (seen.length === 1) response.writeHead(503).end(JSON.stringify(fault));
      else response.end('{}');
    });
    const service = httpService({ url, key: 'k' });
    await expect(service.appendToMessage({ messageId: 'm', text: 'x' })).rejects.toThrow('may or may not be stored');
    expect(seen).toEqual(['POST']);
    seen.length = 0;
    expect(await service.postMessage({ threadId: 't', text: 'x' })).toEqual({});
    expect(seen).toEqual(['POST', 'POST']);
  });

  test('[CL3] what a proxy answers for a server that is gone is a lost connection', async () => {
    const seen: string[] = [];
    const url = await standIn((request, response) => {
      seen.push(request.method ?? '');
      if (seen.length <= 2) response.writeHead([502, 504][seen.length - 1] ?? 500).end('<h1>Bad gateway</h1>');
      else response.end('{}');
    });
    const service = httpService({ url, key: 'k' });
    await expect(service.appendToMessage({ messageId: 'm', text: 'x' })).rejects.toThrow('HTTP status 502');
    expect(seen).toEqual(['POST']);
    seen.length = 0;
    expect(await service.postMessage({ threadId: 't', text: 'x' })).toEqual({});
    expect(seen).toHaveLength(3);
  });

  test('[CL2] a code of a newer server is passed on, and the call is retried if the server permits it', async () => {
    const seen: string[] = [];
    const url = await standIn((request, response) => {
      seen.push(request.url ?? '');
      const fault = { code: 'full-moon', detail: 'Not tonight.', retryable: seen.length === 1 };
      response.writeHead(seen.length === 1 ? 503 : 409).end(JSON.stringify(fault));
    });
    const refused = await httpService({ url, key: 'k' }).testWebhook({ webhookId: 'w' }).catch(faultOf);
    expect(refused).toMatchObject({ code: 'full-moon', detail: 'Not tonight.', status: 409, retryable: false });
    expect(seen).toHaveLength(2);
  });

  test('[CL3] it gives up after a while, and says what it could not reach', async () => {
    const url = await standIn((request) => request.socket.destroy());
    const gaveUp = httpService({ url, key: 'k', retryForMs: 50 }).listThreads({});
    await expect(gaveUp).rejects.toThrow(`The server at ${url} cannot be reached.`);
  });
});
