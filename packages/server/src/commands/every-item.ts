import { defined, type Page } from '@holdpoint/protocol';

/** Reads all pages of a list. */
export async function* everyItem<T>(
  read: (from: { limit: number; cursor?: string }) => Promise<Page<T>>,
): AsyncGenerator<T> {
  for (let cursor: string | undefined; ; ) {
    const { data, next } = await read({ limit: 200, ...defined({ cursor }) });
    yield* data;
    if (next === undefined) return;
    cursor = next;
  }
}
