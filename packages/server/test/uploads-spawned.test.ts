import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import type { FileRef, Interaction, Thread } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import type { Client } from './client.ts';
import { uploadsOf } from './files-of-tests.ts';
import { serversOfATest } from './servers-of-a-test.ts';
import { adminKey, startTestServer } from './test-server.ts';

const servers = serversOfATest();
const { running, start } = servers;
const megabyte = 1024 * 1024;

async function ask(admin: Client): Promise<string> {
  const { id: threadId } = (await admin.post<Thread>('/v1/threads')).body;
  const fields = [{ name: 'photo', type: 'file_upload' }];
  const asked = await admin.post<Interaction>(`/v1/threads/${threadId}/interactions`, { title: 'Show me', fields });
  return asked.body.id;
}

function openUpload({ url }: Client, path: string, headers: Record<string, string | number>): ClientRequest {
  const outgoing = request(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminKey}`, ...headers },
  });
  outgoing.on('error', () => {});
  return outgoing;
}

async function write(outgoing: ClientRequest, piece: Uint8Array): Promise<void> {
  if (!outgoing.write(piece)) await once(outgoing, 'drain');
}

test('[UP9][S1] a server that is killed during an upload serves no part of it, and deletes it later', async () => {
  const server = await start();
  const id = await ask(server.admin);
  const outgoing = openUpload(server.admin, uploadsOf(id), { 'content-length': 20 * megabyte });
  for (let sent = 0; sent < 10; sent++) await write(outgoing, new Uint8Array(megabyte));
  await expect.poll(() => servers.place.blobBytes(), { timeout: 20_000 }).toBeGreaterThan(2 * megabyte);
  running.delete(server);
  await server.kill('SIGKILL');
  outgoing.destroy();
  const stored = await servers.place.contents();
  expect(stored).not.toContain('"field":"photo","name"');
  await using next = await startTestServer({ place: servers.place });
  next.clock.offsetMs += 25 * 3_600_000;
  await expect.poll(() => servers.place.blobBytes(), { timeout: 20_000 }).toBe(0);
  expect((await next.admin.get(`/v1/interactions/${id}`)).body.status).toBe('pending');
});

const memory = (pid: number | undefined, name: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

const formHead = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const formTail = '\r\n--x--\r\n';

test.each([
  ['as a form', formHead, formTail, 'multipart/form-data; boundary=x'],
  ['as the body itself', '', '', 'application/octet-stream'],
])('[UP1] an upload of 100 MB takes less than 20 MB of memory, %s', async (_what, head, tail, contentType) => {
  const server = await start();
  const { pid } = server.process;
  const id = await ask(server.admin);
  const upload = async (size: number): Promise<FileRef> => {
    const outgoing = openUpload(server.admin, uploadsOf(id), {
      'content-type': contentType,
      'content-length': size + head.length + tail.length,
    });
    const answered = once(outgoing, 'response');
    if (head) await write(outgoing, Buffer.from(head));
    for (let sent = 0; sent < size; sent += megabyte) await write(outgoing, new Uint8Array(megabyte));
    outgoing.end(tail);
    const [response] = await answered;
    let text = '';
    for await (const piece of response.setEncoding('utf8')) text += piece;
    return JSON.parse(text);
  };
  // The first upload loads the code that recognises types, and grows the heap. That is no memory of an upload.
  await upload(50 * megabyte);
  // From here on the peak is measured again.
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = memory(pid, 'VmRSS');
  const size = 100 * megabyte;
  expect(await upload(size)).toMatchObject({ size });
  const grownMb = (memory(pid, 'VmHWM') - before) / megabyte;
  expect(grownMb).toBeLessThan(20);
});
