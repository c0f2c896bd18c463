/** Lists have their own connections: the database ends a list that takes too long, and no look-up waits for it. */
import { expect, onTestFinished, test } from 'vitest';
import { storesOfATest } from '../../../test/postgres/stores-of-a-test.ts';
import { commitAll } from '../contract/opened-store.ts';
import { idOf, interactionOf, newInteraction, newThread, orgId } from '../contract/records.fixture.ts';
import { Connection } from './connection.ts';
import { openPostgresStore } from './postgres-store.ts';

const stores = storesOfATest();

async function setUp() {
  const store = await openPostgresStore({ url: stores.url, stepMs: 100 });
  await commitAll(store, newThread('t1'), newInteraction(interactionOf(idOf(1), 't1')));
  const other = new Connection({ url: stores.url, isPatient: true });
  const session = await other.open();
  onTestFinished(async () => {
    await other.close();
    await store.close();
  });
  return { store, session };
}

test('[N20] a list that takes too long is refused, and delays no look-up and no later list', async () => {
  const { store, session } = await setUp();
  await session.query('BEGIN; LOCK TABLE interactions IN ACCESS EXCLUSIVE MODE');
  const blocked = Array.from({ length: 6 }, () => store.listInteractions({ orgId, limit: 9 }));
  const refused = Promise.all(
    blocked.map((list) =>
      expect(list).rejects.toMatchObject({
        code: 'storage-unavailable',
        fault: { detail: expect.stringContaining('took too long to read'), retryAfterMs: 1_000 },
      }),
    ),
  );
  expect(await store.getThread({ orgId, id: 't1' })).toBeDefined();
  await refused;
  await session.query('ROLLBACK');
  expect((await store.listInteractions({ orgId, limit: 9 })).items).toHaveLength(1);
});
