/** The dispatch of batches to workers. Returns batches of other chats to the queue. */
import { casesOf, expectLike, expectReply, expectStatus } from '../../case.ts';
import type { World } from '../../world.ts';
import { choice, failing, newChat, resolve, say } from './chat-world.ts';

interface Batch {
  batchId: string;
  chatId: string;
  [name: string]: unknown;
}

/** A worker of an own org, if the server has orgs, so that no batch of others is claimed. */
const hire = async (world: World) => {
  const key = await world.stranger().catch(() => world.key);
  return { world, key, workerId: crypto.randomUUID() };
};
type Worker = Awaited<ReturnType<typeof hire>>;

const on = ({ world, key, workerId }: Worker, { batchId }: Pick<Batch, 'batchId'>, verb: string, more: object = {}) =>
  world.post(`/api/v1/dispatch/${batchId}/${verb}`, { workerId, ...more }, { key });

/** The next batch of each of these chats. */
async function claimFor(worker: Worker, chatIds: readonly string[]): Promise<Batch[]> {
  const { world, key, workerId } = worker;
  const found: Batch[] = [];
  for (let tries = 0; found.length < chatIds.length && tries < 50; tries++) {
    const { body } = await world.post('/api/v1/dispatch/claim-many', { workerId, waitMs: 20_000 }, { key });
    for (const batch of (body.batches ?? []) as Batch[])
      if (chatIds.includes(batch.chatId)) found.push(batch);
      else await on(worker, batch, 'fail', { reason: 'Not of this test.', retryable: true, retryDelayMs: 60_000 });
  }
  return found;
}

const claimOne = async (worker: Worker, chatId: string): Promise<Batch> => {
  const [batch] = await claimFor(worker, [chatId]);
  if (!batch) throw new Error('No batch of the chat came.');
  return batch;
};

const lost = failing('CONFLICT', 'Dispatch lease is no longer owned by this worker.');

export const dispatchCases = casesOf('chat-requests', {
  'a worker is handed messages and resolved requests': async (world) => {
    const worker = await hire(world);
    const { key } = worker;
    const chatId = await newChat(world, {}, key);
    await say(world, chatId, { content: 'Hi' }, key);
    const said = await claimOne(worker, chatId);
    expectLike(said, {
      kind: 'user_batch',
      compiledContent: 'Hi',
      items: [
        { sourceKind: 'user_message', senderId: 'user:primary', content: 'Hi', mediaIds: [], attachmentNames: [] },
      ],
      attachments: [],
    });
    expectStatus(await on(worker, said, 'heartbeat'), 204);
    expectStatus(await on(worker, said, 'complete'), 204);
    const { id } = await world.made(`/api/v1/chats/${chatId}/requests`, choice, { key });
    await resolve(world, id, { selectedOptionIds: ['yes'], resolvedBy: 'backend' }, { key });
    const resolved = await claimOne(worker, chatId);
    expectLike(resolved, {
      kind: 'request_batch',
      items: [
        {
          sourceKind: 'request_resolved',
          sourceId: id,
          senderId: 'backend',
          content: '[Request resolved: "Deploy?"] Selected: yes',
        },
      ],
    });
    expectStatus(await on(worker, resolved, 'complete'), 204);
    const none = { workerId: worker.workerId, waitMs: 0 };
    for (const path of ['claim', 'claim-many'])
      expectStatus(await world.post(`/api/v1/dispatch/${path}`, none, { key }), 204);
  },
  'what is said in a row is one batch, in which each message has its number': async (world) => {
    const worker = await hire(world);
    const chatId = await newChat(world, {}, worker.key);
    for (const content of ['one', 'two']) await say(world, chatId, { content }, worker.key);
    const batch = await claimOne(worker, chatId);
    expectLike(batch, { compiledContent: '[Message 1]\none\n\n[Message 2]\ntwo', items: [{}, {}] });
    expectStatus(await on(worker, batch, 'complete'), 204);
  },
  'a batch is of the worker that claimed it, until it is done': async (world) => {
    const worker = await hire(world);
    const chatId = await newChat(world, {}, worker.key);
    await say(world, chatId, { content: 'Hi' }, worker.key);
    const batch = await claimOne(worker, chatId);
    const other = { ...worker, workerId: crypto.randomUUID() };
    expectReply(await on(other, batch, 'complete'), 409, lost);
    expectReply(await on(other, batch, 'heartbeat'), 409, lost);
    expectStatus(await on(worker, batch, 'complete'), 204);
    const unknown = await on(worker, { batchId: crypto.randomUUID() }, 'complete');
    expectReply(unknown, 404, failing('NOT_FOUND', 'Dispatch batch not found.'));
  },
  'several batches are claimed at once, and one that failed comes again': async (world) => {
    const worker = await hire(world);
    const chats = [await newChat(world, {}, worker.key), await newChat(world, {}, worker.key)];
    for (const chatId of chats) await say(world, chatId, { content: 'Hi' }, worker.key);
    const batches = await claimFor(worker, chats);
    expectLike(batches.map(({ chatId }) => chatId).toSorted(), chats.toSorted());
    const [first, second] = batches as [Batch, Batch];
    expectStatus(await on(worker, second, 'complete'), 204);
    expectStatus(await on(worker, first, 'fail', { reason: 'It broke', retryable: true, retryDelayMs: 0 }), 204);
    const again = await claimOne(worker, first.chatId);
    expectLike(again, { batchId: first.batchId });
    expectStatus(await on(worker, again, 'complete'), 204);
  },
});
