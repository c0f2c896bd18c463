/** What a Holdpoint does, however its verbs are reached. */
import {
  approval,
  checkbox,
  choice,
  fileUpload,
  form,
  type Holdpoint,
  HoldpointError,
  input,
  type LogEvent,
  number,
  select,
} from '@holdpoint/client';
import { beforeAll, describe, expect, test } from 'vitest';

export function holdpointStories(make: () => Promise<Holdpoint>): void {
  let hp: Holdpoint;
  beforeAll(async () => {
    hp = await make();
  });

  /** The one question of a thread, once it is asked. */
  async function askedIn(threadId: string) {
    const found = async () => (await hp.listInteractions({ threadId })).data[0];
    await expect.poll(found).toBeDefined();
    return (await found()) ?? expect.fail('nothing was asked');
  }

  describe('ask', () => {
    const release = form({ env: select(['staging', 'production']), notify: checkbox() }, { title: 'Release 2.4?' });

    test('[CL5] gives the values of the answer, and who gave it', async () => {
      const thread = await hp.createThread({ title: 'Release' });
      const asking = hp.ask(thread, release);
      const { id } = await askedIn(thread.id);
      await hp.answer(id, { env: 'staging' }, { responder: { type: 'human', id: 'ann' } });
      expect(await asking).toMatchObject({
        status: 'answered',
        values: { env: 'staging' },
        answer: { by: { type: 'human', id: 'ann' } },
        interaction: { id, status: 'answered' },
      });
    });

    test('[CL5] tells a decline from a cancel from an expiry', async () => {
      const { id: threadId } = await hp.createThread({});
      const ask = (idempotencyKey: string) => hp.ask(threadId, release, { idempotencyKey });
      const [declined, cancelled] = await Promise.all(
        ['declined', 'cancelled'].map((key) => hp.create(threadId, release, { idempotencyKey: key })),
      );
      if (!declined || !cancelled) return expect.fail('nothing was asked');
      await hp.decline(declined, 'Not today.');
      await hp.cancel(cancelled, 'Not needed any more.');
      expect(await ask('declined')).toMatchObject({ status: 'declined', reason: 'Not today.' });
      expect(await ask('cancelled')).toMatchObject({ status: 'cancelled', reason: 'Not needed any more.' });
      expect(await expired(threadId)).toMatchObject({ status: 'expired' });
    });

    /** Under a deadline that has not passed yet when it is asked, however busy the machine is. */
    async function expired(threadId: string, inMs = 2_000): Promise<unknown> {
      const at = new Date(Date.now() + inMs).toISOString();
      try {
        return await hp.ask(threadId, { ...release, deadline: { at, outcome: 'expire' } });
      } catch (error) {
        if (!(error instanceof HoldpointError && error.code === 'invalid-input') || inMs > 60_000) throw error;
        return expired(threadId, 2 * inMs);
      }
    }

    test('[CL5] says pending when the time is up, and the question stays', async () => {
      const { id: threadId } = await hp.createThread({});
      const late = await hp.ask(threadId, choice(['yes', 'no']), { timeoutMs: 50 });
      if (late.status !== 'pending') return expect.fail('nobody answered');
      const waiting = hp.wait(late.interaction);
      await hp.answer(late.interaction, { choice: 'yes' });
      expect(await waiting).toMatchObject({ status: 'answered', answer: { values: { choice: 'yes' } } });
      expect((await hp.wait(late.interaction.id)).version).toBe((await hp.get(late.interaction)).version);
    });

    test('[CL5] finds its own question under the same key, and asks again under another', async () => {
      const { id: threadId } = await hp.createThread({});
      const ask = (idempotencyKey: string) => hp.ask(threadId, input(), { idempotencyKey, timeoutMs: 0 });
      const ids = [await ask('one'), await ask('one'), await ask('two')].map(({ interaction }) => interaction.id);
      expect(ids[1]).toBe(ids[0]);
      expect(ids[2]).not.toBe(ids[0]);
    });

    test('[CL6] ends with its signal, before, in the middle, and without taking the question along', async () => {
      const { id: threadId } = await hp.createThread({});
      const over = AbortSignal.abort(new Error('never mind'));
      await expect(hp.ask(threadId, input(), { signal: over })).rejects.toThrow('never mind');
      expect((await hp.listInteractions({ threadId })).data).toEqual([]);
      const stop = new AbortController();
      const asking = hp.ask(threadId, input(), { signal: stop.signal });
      const asked = await askedIn(threadId);
      stop.abort(new Error('enough'));
      await expect(asking).rejects.toThrow('enough');
      await expect(hp.wait(asked.id, { signal: over })).rejects.toThrow('never mind');
      expect((await hp.get(asked)).status).toBe('pending');
    });

    test('[CL2] throws what the server refuses', async () => {
      const refused = hp.ask('no-such-thread', input());
      await expect(refused).rejects.toBeInstanceOf(HoldpointError);
      await expect(refused).rejects.toMatchObject({ code: 'thread-not-found' });
    });
  });

  describe('approve', () => {
    const refund = { title: 'Refund?', arguments: { order: 7, amount: 20 }, fields: { amount: number() } };

    test('[CL5] gives the arguments as the person left them, and whether they did', async () => {
      for (const amount of [20, 5]) {
        const { id: threadId } = await hp.createThread({});
        const asking = hp.approve(threadId, refund);
        await hp.answer(await askedIn(threadId), { decision: 'allow', amount });
        const approval = { approved: true, arguments: { order: 7, amount }, edited: amount !== 20 };
        expect(await asking).toMatchObject(approval);
      }
    });

    test('[CL5] is no where it was denied', async () => {
      const { id: threadId } = await hp.createThread({});
      const asking = hp.approve(threadId, refund);
      await hp.answer(await askedIn(threadId), { decision: 'deny' });
      expect(await asking).toMatchObject({ approved: false, edited: false, outcome: { status: 'declined' } });
    });
  });

  test('[CL8] every item of a list and of a log comes, page by page', async () => {
    const { id: threadId } = await hp.createThread({});
    for (const title of ['1', '2', '3', '4', '5']) await hp.create(threadId, input(undefined, { title }));
    const titles: string[] = [];
    for await (const { title } of hp.every('listInteractions', { threadId, limit: 2, order: 'oldest' }))
      titles.push(title);
    expect(titles).toEqual(['1', '2', '3', '4', '5']);
    const seqs: number[] = [];
    for await (const { seq } of hp.every('readLog', { threadId, limit: 2 })) seqs.push(seq);
    expect(seqs).toEqual([1, 2, 3, 4, 5, 6]);
    const ids: string[] = [];
    for await (const thread of hp.every('listThreads')) ids.push(thread.id);
    expect(ids).toContain(threadId);
  });

  test('[CL7] events come from the beginning, of what was asked for, and as they happen', async () => {
    const { id: threadId } = await hp.createThread({});
    await hp.postMessage({ threadId, text: 'Before' });
    const seen: LogEvent['type'][] = [];
    for await (const { type } of hp.events({ threadId, after: 'start', types: ['message.created'] })) {
      seen.push(type);
      if (seen.length === 2) break;
      await hp.create(threadId, input());
      await hp.postMessage({ threadId, text: 'Meanwhile' });
    }
    expect(seen).toEqual(['message.created', 'message.created']);
  });

  test('[CL6] the signal ends a loop that waits for the next event', async () => {
    const { id: threadId } = await hp.createThread({});
    const stop = new AbortController();
    const seen: LogEvent[] = [];
    for await (const event of hp.events({ threadId, after: 'start', signal: stop.signal })) {
      seen.push(event);
      setImmediate(() => stop.abort());
    }
    expect(seen).toHaveLength(1);
  });

  test('[CL6] no event comes after the signal, though there are more', async () => {
    const { id: threadId } = await hp.createThread({});
    for (const text of ['1', '2', '3']) await hp.postMessage({ threadId, text });
    const stop = new AbortController();
    const seen: LogEvent[] = [];
    for await (const event of hp.events({ threadId, after: 'start', signal: stop.signal })) {
      seen.push(event);
      stop.abort();
    }
    expect(seen).toHaveLength(1);
  });

  test('[CL10] a file is uploaded and is the value of an answer', async () => {
    const { id: threadId } = await hp.createThread({});
    const asked = await hp.create(threadId, form({ notes: fileUpload() }));
    const notes = await hp.upload(asked, 'notes', new File(['Fixed: all of it.'], 'notes.txt', { type: 'text/plain' }));
    expect(notes).toMatchObject({ name: 'notes.txt', mime: 'text/plain', size: 17 });
    const { answer } = await hp.answer(asked, { notes });
    expect(answer?.values).toMatchObject({ notes: { file_id: notes.file_id } });
    const texts: string[] = [];
    const { content } = await hp.openFile({ fileId: notes.file_id });
    for await (const piece of content) texts.push(Buffer.from(piece).toString());
    expect(texts.join('')).toBe('Fixed: all of it.');
  });

  test('[CL1] a question keeps where it comes from', async () => {
    const { id: threadId } = await hp.createThread({});
    const origin = { type: 'tool', reference: 'deploy' } as const;
    expect((await hp.create(threadId, { ...input(), origin })).origin).toEqual(origin);
  });

  test('[CL1] a token for one person is minted by its verb', async () => {
    const { id: threadId } = await hp.createThread({});
    const { id: interactionId } = await hp.create(threadId, approval());
    const { token } = await hp.mintResponderToken({ responderId: 'ann', interactionId });
    expect(token).toMatch(/\S{20,}/);
  });
}
