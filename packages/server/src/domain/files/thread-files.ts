/** Names of the documents that list the files of a thread, the newest first. */

/** Ids are UUIDv7, so they sort by time. With each hex digit mirrored they sort from the newest to the oldest. */
const mirrored = (id: string): string =>
  id.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16));

/** A thread's id has no space, so the names of one thread are together and begin with no other thread's id. */
const prefixOf = (threadId: string): string => `${threadId} `;

export const threadFileId = (threadId: string, fileId: string): string => prefixOf(threadId) + mirrored(fileId);

/** The name after which a list begins. A cursor is the rest of a name, so it leads into no other thread. */
export const listedAfter = (threadId: string, cursor = ''): string => prefixOf(threadId) + cursor;

/** The cursor of a name, or undefined if it is another thread's. */
export function cursorOf(threadId: string, name: string): string | undefined {
  const prefix = prefixOf(threadId);
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined;
}
