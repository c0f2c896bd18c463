/** Texts arrive in the database as they were given, however they are made. */
import { expect, test } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { commitAll } from '../contract/opened-store.ts';
import {
  eventOf,
  idempotencyRecordOf,
  idOf,
  interactionOf,
  messageOf,
  newThread,
  orgId,
  threadOf,
} from '../contract/records.fixture.ts';
import type { Change } from '../store.ts';
import { Connection } from './connection.ts';
import { textArray } from './text-array.ts';

const stores = storesOfATest();

/** As a change is sent. */
async function roundTrip(texts: (string | null)[]): Promise<unknown> {
  const connection = new Connection({ url: stores.url });
  try {
    const [row] = await connection.query({ text: 'SELECT $1::text[] AS texts', values: [textArray(texts)] });
    return row?.texts;
  } finally {
    await connection.close();
  }
}

const awkward = [
  '',
  ' ',
  'NULL',
  '"',
  '\\',
  '\\"',
  "'",
  ',',
  '{}',
  '{"a","b"}',
  '\n\r\t',
  '\u0001\u007f',
  'naïve Ω',
  '漢字',
  '👩‍🚀🏳️‍🌈',
  '\u{10ffff}',
  '\ufeff',
  '\u202e',
  JSON.stringify({ lone: '\ud800', other: '\udfff', nul: '\u0000', quote: '"\\' }),
];

test('[S1] texts of every kind come back as they were given', async () => {
  expect(await roundTrip(awkward)).toEqual(awkward);
  for (const text of awkward) expect(await roundTrip([text])).toEqual([text]);
});

test('[S1] a missing text stays missing, and differs from an empty one', async () => {
  expect(await roundTrip([null])).toEqual([null]);
  expect(await roundTrip(['', null, 'NULL', null, ''])).toEqual(['', null, 'NULL', null, '']);
  expect(await roundTrip([])).toEqual([]);
});

test('[S1] a megabyte comes back, between short ones, whatever a character takes', async () => {
  const long = ['x'.repeat(1_048_576), '👩‍🚀'.repeat(40_000), JSON.stringify('"\\'.repeat(250_000))];
  const texts = ['before', ...long, null, 'after'];
  // Not toEqual, which would print them.
  expect(JSON.stringify(await roundTrip(texts)) === JSON.stringify(texts)).toBe(true);
});

test('[S1] a record with every kind of text in it is read as it was written', async () => {
  const store = await stores.open();
  const all = { texts: [...awkward, '\u0000', 'a\u0000b', '\ud800', '\udc00x'], '\u0000': '\u0000', '\ud800': 1 };
  const thread = { ...threadOf('t1'), title: awkward.join('\u0000'), metadata: all };
  const message = { ...messageOf(idOf(2), 't1'), metadata: all };
  const interaction = interactionOf(idOf(1), 't1', { title: '\u0000\ud800', metadata: all });
  const actor = { type: 'human', id: '\u0000\ud800', via: 'token' } as const;
  const change: Change = {
    ...{ orgId, newThread: thread, newMessage: message, interaction: { record: interaction, expectedVersion: 0 } },
    newSecrets: { interactionId: idOf(1), values: all },
    log: { threadId: 't1', events: [{ ...eventOf('interaction.created', idOf(1), all), actor }] },
    idempotency: { ...idempotencyRecordOf('k'), fingerprint: awkward.join('') },
  };
  await commitAll(store, change, newThread('t2'));
  expect(await store.getThread({ orgId, id: 't1' })).toEqual(thread);
  expect(await store.getMessage({ orgId, id: idOf(2) })).toEqual(message);
  expect(await store.getInteraction({ orgId, id: idOf(1) })).toEqual(interaction);
  expect(await store.getSecrets({ orgId, interactionId: idOf(1) })).toEqual(all);
  expect(await store.findIdempotency({ orgId, key: 'k' })).toEqual(change.idempotency);
  expect((await store.readLog({ orgId, threadId: 't1', after: 0, limit: 9 })).items).toMatchObject([
    { actor, data: all },
  ]);
});
