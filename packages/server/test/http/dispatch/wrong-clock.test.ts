/** Delays on a machine whose clock was ahead for a while. */
import { expect, onTestFinished, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';
import { startReceiver } from '../webhooks/webhook-receiver.ts';
import { claimOne, failBatch, say, texts } from './dispatcher.ts';

const hour = 3_600_000;

test.each(['goes on', 'is started again'])(
  '[WH32] what failed while the clock was two hours ahead is retried soon after it is set back, on a server that %s',
  async (what) => {
    const server = await startSpecServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const statuses = [500];
    const receiver = await startReceiver(() => statuses.shift() ?? 200);
    onTestFinished(() => receiver[Symbol.asyncDispose]());
    server.clock.offsetMs = 2 * hour;
    const { id: threadId } = await server.admin.newThread();
    await server.admin.made('/v1/webhooks', { url: receiver.url, threadId });
    await server.admin.made(`/v1/threads/${threadId}/messages`, { text: 'Hello' });
    await expect.poll(() => receiver.received.length).toBe(1);
    server.clock.offsetMs = 0;
    if (what === 'is started again') await server.restart();
    await expect.poll(() => receiver.received.length, { timeout: 15_000 }).toBe(2);
  },
  30_000,
);

test.each(['leased', 'failed'])(
  '[X42] a batch that was %s while the clock was two hours ahead is handed out after it is set back',
  async (what) => {
    const server = await startSpecServer();
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { admin, clock } = server;
    clock.offsetMs = 2 * hour;
    const { id: threadId } = await admin.newThread();
    const claiming = claimOne(admin);
    await say(admin, threadId, 'Hello');
    const batch = await claiming;
    if (what === 'failed') expect((await failBatch(admin, batch)).status).toBe(200);
    clock.offsetMs = 0;
    const again = await claimOne(admin, { workerId: 'bob' });
    expect(again.id).toBe(batch.id);
    expect(texts(again)).toEqual(['Hello']);
  },
  60_000,
);
