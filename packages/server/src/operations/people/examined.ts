/** Lists the documents that match a filter. No index answers the filter, so a page examines a bounded number of them. */
import type { Document, DocumentType } from '../../stores/documents.ts';
import type { Listing, Store } from '../../stores/store.ts';

/** Enough to find one of 10,000 people in a few pages. Documents of this size are read in about 10 ms. */
const mostExamined = 2_000;
/** Small enough that one step delays no other call for long. */
const stepSize = 500;

export interface Examined<T extends DocumentType> {
  orgId: string;
  type: T;
  cursor?: string | undefined;
  limit: number;
  isWanted(document: Document<T>): boolean;
  /** Reports whether this document and all after it are outside the list. */
  isPast?(document: Document<T>): boolean;
}

/** Returns a page. It may be short although more items follow (L20). */
export async function examined<T extends DocumentType>(
  store: Pick<Store, 'listDocuments'>,
  { orgId, type, limit, isWanted, isPast = () => false, ...from }: Examined<T>,
): Promise<Listing<Document<T>>> {
  const items: Document<T>[] = [];
  let { cursor } = from;
  for (let count = 0; count < mostExamined; ) {
    // Of an unfiltered list, no more is read than the page takes.
    const step = Math.min(stepSize, mostExamined - count, Math.max(limit + 1, 50));
    const read = await store.listDocuments({ orgId, type, limit: step, ...(cursor === undefined ? {} : { cursor }) });
    for (const document of read.items) {
      if (isPast(document)) return { items };
      if (!isWanted(document)) continue;
      // One more than the page takes shows that there is a next page.
      if (items.length === limit) return { items, next: items.at(-1)?.id ?? '' };
      items.push(document);
    }
    if (read.next === undefined) return { items };
    cursor = read.next;
    count += read.items.length;
  }
  return { items, ...(cursor === undefined ? {} : { next: cursor }) };
}
