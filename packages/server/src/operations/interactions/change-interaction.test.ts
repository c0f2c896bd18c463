/** Tests the digest of an answer to records of earlier versions, which have no digest or a digest of the text alone. */
import { hash } from 'node:crypto';
import { verifyAnswer } from '@holdpoint/client/verify';
import { type Interaction, schemeOf } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { ann, ask, at, hourMs, now } from '../../domain/asking.fixture.ts';
import type { Caller } from '../../domain/caller.ts';
import type { Change, Committed, Store } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { declineInteraction, submitAnswer } from './answer-interaction.ts';
import { digestOf, expireInteraction, updateInteraction } from './change-interaction.ts';

const deadline = { at: at(now + hourMs), outcome: 'decline' } as const;
const { digest: _none, ...old }: Interaction = ask({ title: 'Äh 🙂?', options: ['a', 'b'], deadline });
const digest = digestOf(old);

/** Runs an operation on a store with this one record, and returns the committed change. */
async function onOld(
  run: (context: Context) => Promise<unknown>,
  time = now,
  record: Interaction = old,
): Promise<Interaction[]> {
  const written: Interaction[] = [];
  const store = {
    getInteraction: async () => record,
    async commit({ interaction }: Change): Promise<Committed> {
      if (interaction) written.push(interaction.record);
      return { ok: true, events: [] };
    },
  } as unknown as Store;
  await run({ store, clock: { now: () => time }, newId: () => 'new' } as unknown as Context);
  return written;
}

const caller: Caller = { kind: 'key', orgId: 'o', keyId: 'admin', role: 'admin' };
const said = { interactionId: old.id, responder: ann };
const bound = { digest, answer: { digest }, votes: [{ digest }] };

test('[BD5] an answer to a record without a digest has the digest of the question, and so has the record then', async () => {
  const values = { choice: 'a' };
  expect(await onOld((context) => submitAnswer(context, caller, { ...said, values }))).toMatchObject([bound]);
  expect(await onOld((context) => submitAnswer(context, caller, { ...said, values, digest }))).toMatchObject([bound]);
  expect(await onOld((context) => declineInteraction(context, caller, said))).toMatchObject([bound]);
  const taken = await onOld((context) => expireInteraction(context, { orgId: 'o', id: old.id }), now + hourMs);
  expect(taken).toMatchObject([{ digest, answer: { digest, automatic: 'deadline' } }]);
});

test('[BD2][BD5] an answer with another digest is refused there too', async () => {
  const other = `sha-256:${'0'.repeat(64)}`;
  const answered = onOld((context) =>
    submitAnswer(context, caller, { ...said, values: { choice: 'a' }, digest: other }),
  );
  await expect(answered).rejects.toMatchObject({ fault: { code: 'question-changed', current: { digest } } });
});

const prefix = 'sha-256:';
const first = prefix + hash('sha256', schemeOf(prefix).textOf(old), 'hex');
const stored: Interaction = { ...old, digest: first };

test('[AN30] a question with a digest of an earlier version is answered under it, and verifies', async () => {
  const [answered] = await onOld(
    (context) => submitAnswer(context, caller, { ...said, values: { choice: 'a' }, digest: first }),
    now,
    stored,
  );
  expect(answered).toMatchObject({ digest: first, answer: { digest: first } });
  if (!answered) throw new Error('nothing was written');
  expect(await verifyAnswer(answered, first)).toBe(true);
  expect(await verifyAnswer({ ...answered, title: 'Other?' })).toBe(false);
});

test('[AN30] it keeps that digest until its text or its policy changes', async () => {
  const update = (patch: object) =>
    onOld((context) => updateInteraction(context, caller, { interactionId: old.id, ...patch }), now, stored);
  expect(await update({ metadata: { note: 1 }, deadline })).toMatchObject([{ digest: first }]);
  for (const patch of [{ title: 'Other?' }, { deadline: null }]) {
    const [changed] = await update(patch);
    expect(changed?.digest).toBe(changed && digestOf(changed));
  }
});
