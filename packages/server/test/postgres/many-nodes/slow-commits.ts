import { sessionOfATest } from './session-of-a-test.ts';

/**
 * Has one commit in some take longer than the others, as on a busy disk, so that many transactions end in another order
 * than they began. The nodes must have migrated the database.
 */
export async function slowCommits(url: string): Promise<void> {
  const session = await sessionOfATest(url);
  await session.query(`
    CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_sleep(random() * 0.03); RETURN NULL; END';
    CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.seq % 10 = 0) EXECUTE FUNCTION dawdle()`);
}
