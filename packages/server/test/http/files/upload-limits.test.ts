import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { answerBrokenHttp } from '../../../src/http/faults/broken-http.ts';
import { receiveFile } from '../../../src/http/files/receive-file.ts';
import { upload, uploadsOf } from '../../files-of-tests.ts';
import { adminKey } from '../../test-server.ts';
import { startSpecServer } from '../openapi/spec-server.ts';
import { openSocket } from '../requests/raw-http.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const megabyte = 1024 * 1024;
/** What is under way between two sockets adds to what was read, on a busy machine a lot. */
const farFromAll = 60 * megabyte;
const ask = (field: object = {}) =>
  admin.ask({ title: 'Show me', options: undefined, fields: [{ name: 'photo', type: 'file_upload', ...field }] });

const formHead = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const head = (path: string, headers: Record<string, string | number>) =>
  [`POST ${path} HTTP/1.1`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join(
    '\r\n',
  );
const common = { host: 'x', authorization: `Bearer ${adminKey}` };
const octets = { ...common, 'content-type': 'application/octet-stream' };
const chunkOf = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

/** Sends without end until it is answered, as one does that never stops by itself, and says how much went out. */
async function sendUntilAnswered(socket: Socket, start: string, piece: Uint8Array) {
  let received = '';
  let sent = 0;
  let isAnswered = false;
  socket.setEncoding('utf8').on('data', (text) => {
    received += text;
    isAnswered = true;
  });
  socket.write(start);
  while (!isAnswered && !socket.destroyed) {
    sent += piece.byteLength;
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  socket.end();
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]), received, sent };
}

describe('a file that is too large', () => {
  test('[UP2] is refused before any of it is read where its size is announced, and the answer is seen', async () => {
    const { id } = await ask({ maxSizeMb: 1 });
    for (const [headers, length] of [
      [octets, megabyte + 1],
      [{ ...common, 'content-type': 'multipart/form-data; boundary=x' }, 2 * megabyte],
    ] as const) {
      const socket = openSocket(server.url);
      const start = head(uploadsOf(id), { ...headers, 'content-length': length });
      // Nothing but the beginning is sent: who waited for more would wait for ever.
      socket.write(start + (headers === octets ? '' : `${formHead}the first bytes`));
      const [answer] = await once(socket.setEncoding('utf8'), 'data');
      expect(answer).toMatch(/^HTTP\/1\.1 413 /);
      expect(answer).toMatch(/connection: close/i);
      expect(answer).toContain('"code":"file-too-large"');
      expect(answer).toContain('larger than the limit of 1 MB');
      socket.destroy();
    }
    expect(await server.place.blobBytes()).toBe(0);
  });

  test.each([
    ['the body itself', octets, (bytes: Uint8Array) => chunkOf(bytes), ''],
    [
      'a form',
      { ...common, 'content-type': 'multipart/form-data; boundary=x' },
      (bytes: Uint8Array) => chunkOf(bytes),
      chunkOf(Buffer.from(formHead)).toString('latin1'),
    ],
  ])('[UP2] is cut off while it comes where it is not, as %s', async (_what, headers, encode, start) => {
    const { id } = await ask({ maxSizeMb: 1 });
    const { status, received, sent } = await sendUntilAnswered(
      openSocket(server.url),
      head(uploadsOf(id), { ...headers, 'transfer-encoding': 'chunked' }) + start,
      encode(new Uint8Array(16 * 1024)),
    );
    expect(status).toBe(413);
    expect(received).toContain('"code":"file-too-large"');
    expect(sent).toBeLessThan(farFromAll);
    await expect.poll(() => server.place.blobBytes()).toBe(0);
  });

  test('[UP2] of any field has at most 100 MB, and what surrounds it in a form counts too', async () => {
    const { id } = await ask();
    const socket = openSocket(server.url);
    socket.write(head(uploadsOf(id), { ...octets, 'content-length': 100 * megabyte + 1 }));
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    expect(answer).toContain('larger than the limit of 100 MB');
    socket.destroy();
  });

  const note = '--x\r\ncontent-disposition: form-data; name="note"\r\n\r\n';
  test.each([
    ['before', note],
    ['after', `${formHead}a small file\r\n${note}`],
    ['behind the end of the form', `${formHead}a small file\r\n--x--\r\n`],
  ])('[UP2] is not what a form may carry %s', async (_where, start) => {
    const { id } = await ask({ maxSizeMb: 1 });
    const form = { ...common, 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' };
    const { status, received, sent } = await sendUntilAnswered(
      openSocket(server.url),
      head(uploadsOf(id), form) + chunkOf(Buffer.from(start)).toString('latin1'),
      chunkOf(new Uint8Array(16 * 1024)),
    );
    expect(status).toBe(413);
    expect(received).toContain('A form may have at most 16 KB around its file.');
    expect(sent).toBeLessThan(farFromAll);
    await expect.poll(() => server.place.blobBytes()).toBe(0);
  });

  test('[UP32] is refused as a second file of a form when it begins', async () => {
    const { id } = await ask({ maxSizeMb: 1 });
    const form = { ...common, 'content-type': 'multipart/form-data; boundary=x', 'transfer-encoding': 'chunked' };
    const { status, received, sent } = await sendUntilAnswered(
      openSocket(server.url),
      head(uploadsOf(id), form) + chunkOf(Buffer.from(`${formHead}a small file\r\n${formHead}`)).toString('latin1'),
      chunkOf(new Uint8Array(16 * 1024)),
    );
    expect(status).toBe(400);
    expect(received).toContain('Send one file per call.');
    expect(sent).toBeLessThan(farFromAll);
    await expect.poll(() => server.place.blobBytes()).toBe(0);
  });

  test('[UP2] is one byte more than a file that is taken', async () => {
    const { id } = await ask({ maxSizeMb: 1 });
    const sent = { name: 'a.bin', mime: 'application/octet-stream' };
    for (const isRaw of [true, false]) {
      const fits = await upload(admin, id, { ...sent, isRaw, content: new Uint8Array(megabyte) });
      expect(fits).toMatchObject({ status: 201, body: { size: megabyte } });
      await admin.call(`/v1/files/${fits.body.file_id}`, { method: 'DELETE' });
      const over = await upload(admin, id, { ...sent, isRaw, content: new Uint8Array(megabyte + 1) });
      expect(over).toMatchObject({ status: 413, body: { code: 'file-too-large' } });
    }
    expect(await server.place.blobBytes()).toBe(0);
  });
});

describe('who is refused in the middle of sending', () => {
  test.each([
    ['a stranger', { ...octets, authorization: 'Bearer nobody' }, 401],
    ['somebody with another question in mind', octets, 404],
  ])('[UP2][X1] %s gets to read why', async (_what, headers, expected) => {
    const { status, sent } = await sendUntilAnswered(
      openSocket(server.url),
      head(uploadsOf('nowhere'), { ...headers, 'transfer-encoding': 'chunked' }),
      chunkOf(new Uint8Array(16 * 1024)),
    );
    expect(status).toBe(expected);
    expect(sent).toBeLessThan(farFromAll);
  });

  test('[UP3] a disguised file is refused by its first bytes, not after all of it', async () => {
    const { id } = await ask();
    const { status, sent } = await sendUntilAnswered(
      openSocket(server.url),
      head(uploadsOf(id, 'photo', 'a.png'), { ...octets, 'content-type': 'image/png', 'transfer-encoding': 'chunked' }),
      chunkOf(new Uint8Array(16 * 1024)),
    );
    expect(status).toBe(422);
    expect(sent).toBeLessThan(farFromAll);
    expect(await server.place.blobBytes()).toBe(0);
  });
});

describe('an upload that is slow, or ends early', () => {
  test('[UP9] leaves nothing when its sender goes away', async () => {
    const { id } = await ask();
    const before = (await admin.get(`/v1/interactions/${id}`)).body.version;
    const socket = openSocket(server.url);
    socket.write(head(uploadsOf(id), { ...octets, 'content-length': 10 * megabyte }));
    socket.write(new Uint8Array(megabyte));
    await expect.poll(() => server.place.blobBytes()).toBeGreaterThan(0);
    socket.destroy();
    await expect.poll(() => server.place.blobBytes()).toBe(0);
    expect((await admin.get(`/v1/interactions/${id}`)).body.version).toBe(before);
  });

  test.each([true, false])('[UP1] may take longer than another request, as long as it moves: %s', async (isUpload) => {
    const node = createServer({ connectionsCheckingInterval: 20, headersTimeout: 100, requestTimeout: 100 });
    onTestFinished(() => void node.close());
    node.on(
      'clientError',
      answerBrokenHttp(() => 'id'),
    );
    node.on('request', async (raw, response) => {
      if (!isUpload) return;
      const { file } = receiveFile({ raw, headers: raw.headers, query: {} } as FastifyRequest);
      let size = 0;
      for await (const piece of (await file).content) size += piece.byteLength;
      response.end(`size: ${size}`);
    });
    await once(node.listen(0, '127.0.0.1'), 'listening');
    const { port } = node.address() as AddressInfo;
    const socket = openSocket(`http://127.0.0.1:${port}`);
    onTestFinished(() => void socket.destroy());
    const late = once(node, 'clientError');
    socket.write(head('/', { ...octets, 'content-length': 20 }));
    socket.write(new Uint8Array(10));
    expect((await late)[0]).toMatchObject({ code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    socket.write(new Uint8Array(10));
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    expect(answer).toMatch(isUpload ? /^HTTP\/1\.1 200 [\s\S]*size: 20/ : /^HTTP\/1\.1 408 /);
  });

  test('[UP1] an answer that comes before the end of the upload leaves it without a question', async () => {
    const { id } = await admin.ask({
      title: 'Show me',
      options: undefined,
      fields: [
        { name: 'photo', type: 'file_upload', required: false },
        { name: 'note', type: 'text' },
      ],
    });
    const socket = openSocket(server.url);
    socket.write(head(uploadsOf(id), { ...octets, 'content-length': megabyte }));
    socket.write(new Uint8Array(megabyte - 1));
    await expect.poll(() => server.place.blobBytes()).toBeGreaterThan(0);
    expect((await admin.answer(id, { note: 'never mind' })).status).toBe(200);
    socket.write(new Uint8Array(1));
    const [answer] = await once(socket.setEncoding('utf8'), 'data');
    expect(answer).toContain('"code":"interaction-already-answered"');
    socket.destroy();
    await expect.poll(() => server.place.blobBytes()).toBe(0);
  });
});
