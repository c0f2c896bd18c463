import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { png, upload } from '../../files-of-tests.ts';
import { say, settings } from '../dispatch/dispatcher.ts';
import { advanced, begun, claimFor, helper } from '../dispatch/run-worker.ts';
import { type SpecServer, startSpecServer } from '../openapi/spec-server.ts';

let server: SpecServer;
beforeEach(async () => {
  server = await startSpecServer();
});
afterEach(() => server[Symbol.asyncDispose]());

const hour = 3_600_000;
/** Timers are looked at about once a second. */
const patient = { timeout: 20_000 };
const size = png(3, 2).byteLength;
const fileStatus = async (id: string) => (await server.admin.get(`/v1/files/${id}`)).status;
const ask = (retention: string | undefined, more: object = {}, threadId?: string) => {
  const fields = [{ name: 'photo', type: 'image_upload', retention }];
  return server.admin.ask({ title: 'Show me', options: undefined, fields, ...more }, threadId);
};

describe('a file that no answer carries', () => {
  test('[UP9] is deleted after a day, with its bytes; one that an answer carries stays', async () => {
    const { id } = await ask('persistent');
    const [kept, orphan] = [(await upload(server.admin, id)).body, (await upload(server.admin, id)).body];
    await server.admin.answer(id, { photo: kept });
    server.clock.offsetMs += 23 * hour;
    await server.restart();
    expect(await server.place.blobBytes()).toBe(2 * size);
    server.clock.offsetMs += hour + 1_000;
    await expect.poll(() => fileStatus(orphan.file_id), patient).toBe(404);
    await expect.poll(() => server.place.blobBytes(), patient).toBe(size);
    expect(await fileStatus(kept.file_id)).toBe(200);
    server.clock.offsetMs += 1_000 * hour;
    await server.restart();
    expect(await fileStatus(kept.file_id)).toBe(200);
  });

  test('[UP9] is one whose question was declined or withdrawn, too', async () => {
    const { id } = await ask('persistent');
    const { body } = await upload(server.admin, id);
    await server.admin.post(`/v1/interactions/${id}/decline`);
    server.clock.offsetMs += 25 * hour;
    await expect.poll(() => fileStatus(body.file_id), patient).toBe(404);
  });

  test('[UP9] its deletion by a key leaves nothing', async () => {
    const { id } = await ask('persistent');
    const { body } = await upload(server.admin, id);
    await server.admin.answer(id, { photo: body });
    expect((await server.admin.call(`/v1/files/${body.file_id}`, { method: 'DELETE' })).body).toMatchObject({
      id: body.file_id,
    });
    expect(await server.place.blobBytes()).toBe(0);
    expect((await server.admin.get(`/v1/interactions/${id}`)).body).toMatchObject({
      answer: { values: { photo: body } },
    });
  });
});

describe('a transient file', () => {
  test.each(['completed', 'failed', 'cancelled'])(
    '[UP9] is deleted when its run has %s, and not before',
    async (end) => {
      const { admin } = server;
      await settings(admin, { debounceMs: 0, from: 'start' });
      const { id: threadId } = await admin.newThread({ agent: helper });
      await say(admin, threadId, 'Hello');
      const run = await begun(admin, await claimFor(admin));
      const { id } = await ask('transient', { run: { id: run.id } }, threadId);
      // Persistent is what goes without saying.
      const { id: other } = await ask(undefined, { run: { id: run.id } }, threadId);
      const [transient, kept] = [(await upload(admin, id)).body, (await upload(admin, other)).body];
      await admin.answer(id, { photo: transient });
      await admin.answer(other, { photo: kept });
      server.clock.offsetMs += 25 * hour;
      await server.restart();
      expect(await fileStatus(transient.file_id)).toBe(200);
      const failed = { error: { code: 'broken', message: 'It broke.' } };
      if (end === 'cancelled') await server.admin.made(`/v1/runs/${run.id}/cancel`);
      else await advanced(server.admin, run, { status: end, ...(end === 'failed' ? failed : {}) });
      await expect.poll(() => fileStatus(transient.file_id), patient).toBe(404);
      await expect.poll(() => server.place.blobBytes(), patient).toBe(size);
      expect(await fileStatus(kept.file_id)).toBe(200);
    },
  );

  test('[UP9] of a question that no run of ours asked stays', async () => {
    const { id } = await ask('transient', { run: { id: 'somebody-elses' } });
    const { body } = await upload(server.admin, id);
    await server.admin.answer(id, { photo: body });
    server.clock.offsetMs += 25 * hour;
    await server.restart();
    server.clock.offsetMs += 25 * hour;
    await server.restart();
    expect(await fileStatus(body.file_id)).toBe(200);
  });
});
