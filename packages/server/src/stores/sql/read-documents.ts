/** Reads of documents. Their ids may be anybody's, such as a thread's, so any text is a cursor. */
import type { Document, Documents, DocumentType, Store } from '../store.ts';
import type { ReadsOf, Row, Select } from './select.ts';

export type DocumentReads = Pick<Store, 'getDocument' | 'findDocument' | 'listDocuments'>;

const read = 'SELECT id, revision, record FROM documents WHERE org_id = ? AND type = ?';

export function documentReads(select: Select, readsOf: ReadsOf): DocumentReads {
  return {
    getDocument: async <T extends DocumentType>({ orgId, type, id }: { orgId: string; type: T; id: string }) =>
      toDocument<T>((await select(`${read} AND id = ?`, orgId, type, id))[0]),
    findDocument: async <T extends DocumentType>({ orgId, type, alias }: { orgId: string; type: T; alias: string }) =>
      toDocument<T>((await select(`${read} AND alias = ?`, orgId, type, alias))[0]),
    async listDocuments<T extends DocumentType>(by: { orgId: string; type: T; cursor?: string; limit: number }) {
      const { orgId, type, cursor, limit } = by;
      const after = cursor === undefined ? [] : [cursor];
      const sql = `${read} ${cursor === undefined ? '' : 'AND id > ?'} ORDER BY id LIMIT ?`;
      const items = (await readsOf(orgId).one(sql, orgId, type, ...after, limit + 1)).map((row) => toDocument<T>(row));
      const last = items[limit - 1];
      return items.length <= limit || !last ? { items } : { items: items.slice(0, limit), next: last.id };
    },
  };
}

function toDocument<T extends DocumentType>(row: Row): Document<T>;
function toDocument<T extends DocumentType>(row: Row | undefined): Document<T> | undefined;
function toDocument<T extends DocumentType>(row: Row | undefined): Document<T> | undefined {
  return (
    row && {
      id: String(row.id),
      revision: String(row.revision),
      record: JSON.parse(String(row.record)) as Documents[T],
    }
  );
}
