import type { DatabaseSync } from 'node:sqlite';
import type { EncodedChange, EncodedDocument } from '../sql/encode-change.ts';

interface DocumentWriter {
  /** Whether a document has another revision than expected, or a name that is another's. */
  isOvertaken(change: EncodedChange): boolean;
  write(change: EncodedChange): void;
}

export function documentWriter(db: DatabaseSync): DocumentWriter {
  const find = db.prepare('SELECT revision FROM documents WHERE org_id = ? AND type = ? AND id = ?');
  const findNamesake = db.prepare('SELECT id FROM documents WHERE org_id = ? AND type = ? AND alias = ?');
  const set = db.prepare(
    `INSERT INTO documents (org_id, type, id, revision, alias, record) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (org_id, type, id)
     DO UPDATE SET revision = excluded.revision, alias = excluded.alias, record = excluded.record`,
  );
  const drop = db.prepare('DELETE FROM documents WHERE org_id = ? AND type = ? AND id = ?');

  const isNameTaken = (orgId: string, { type, id, alias }: EncodedDocument): boolean => {
    const namesake = alias === null ? undefined : findNamesake.get(orgId, type, alias);
    return namesake !== undefined && namesake.id !== id;
  };

  return {
    isOvertaken: ({ orgId, documents = [] }) =>
      documents.some((document) => {
        const { type, id, expected } = document;
        return (find.get(orgId, type, id)?.revision ?? null) !== expected || isNameTaken(orgId, document);
      }),
    write({ orgId, documents = [] }) {
      for (const { type, id, revision, alias, record } of documents)
        if (record === null) drop.run(orgId, type, id);
        else set.run(orgId, type, id, revision, alias, record);
    },
  };
}
