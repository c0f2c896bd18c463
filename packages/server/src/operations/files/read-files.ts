/** Reads files. A file outside the caller's scope is reported as not found; a session reads only its own. */
import { defined, fail, type OpenedFile, type StoredFile } from '@holdpoint/protocol';
import { type Caller, isWholeThreadInScope, mayReadFileOf } from '../../domain/caller.ts';
import { mirrored, timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import type { Context, LinkClaims, Operation } from '../context.ts';
import { isInScope } from '../interactions/interactions.ts';
import { pageLimit } from '../perform.ts';
import { loadThread } from '../threads.ts';

export const getFile: Operation<'getFile'> = async (context, caller, { fileId }) =>
  (await loadFile(context, caller, fileId)).record;

/** A thread's id has no space, so the names of one thread are together and begin with no other thread's id. */
const prefixOf = (threadId: string): string => `${threadId} `;

/** The name of the document that lists a file of a thread. Mirrored ids sort from the newest to the oldest. */
export const threadFileId = (threadId: string, fileId: string): string => prefixOf(threadId) + mirrored(fileId);

/** Lists the files that were attached to a thread, the newest first. */
export const listFiles: Operation<'listFiles'> = async (context, caller, { threadId, cursor = '', limit: asked }) => {
  const { orgId } = caller;
  const { store } = context;
  await loadThread(context, caller, threadId);
  const limit = pageLimit(asked);
  // A cursor is the rest of a name, so it leads into no other thread.
  const prefix = prefixOf(threadId);
  // One more than wanted shows whether more files of this thread follow.
  const wanted = { orgId, type: 'thread-file', cursor: prefix + cursor, limit: limit + 1 } as const;
  const { items } = await store.listDocuments(wanted);
  const listed = items.filter(({ id }) => id.startsWith(prefix));
  const own = listed.slice(0, limit);
  const found = await Promise.all(
    own.map(({ record }) => store.getDocument({ orgId, type: 'file', id: record.fileId })),
  );
  const data = found.flatMap((file) => (file ? [file.record] : []));
  const next = listed.length > limit ? own.at(-1)?.id.slice(prefix.length) : undefined;
  return { data, ...defined({ next }) };
};

export const openFile: Operation<'openFile'> = async (context, caller, { fileId, ...range }) =>
  opened(context, (await loadFile(context, caller, fileId)).record, range);

interface Range {
  from?: number;
  to?: number;
}

/** Reads nothing until the first piece is asked for. */
const opened = ({ blobs }: Context, file: StoredFile, { from = 0, to = file.size }: Range): OpenedFile => ({
  file,
  content: blobs.read(file.id, { from, to: Math.min(to, file.size) }),
});

const defaultTtlSeconds = 3_600;

/** A person's token lives about an hour. A link that lives longer would get around that. */
const longestForResponders = 3_600;

/** A link is stored nowhere. It has a file, a time, and a signature of both. */
export const linkFile: Operation<'linkFile'> = async (context, caller, input) => {
  const { fileId, ttlSeconds = defaultTtlSeconds } = input;
  const { id } = await loadFile(context, caller, fileId);
  const longest = caller.kind !== 'key' ? longestForResponders : ttlSeconds;
  const expires = Math.ceil(context.clock.now() / 1000) + Math.min(ttlSeconds, longest);
  const signature = context.links.sign({ orgId: caller.orgId, fileId: id, expires });
  const query = new URLSearchParams({ org: caller.orgId, expires: String(expires), signature });
  return { url: `/v1/files/${id}/content?${query}`, expiresAt: timestamp(expires * 1000) };
};

/** Opens a file by a link. Until the link expires, anyone who has it may read that file, and nothing else. */
export async function openLinkedFile(
  context: Context,
  { signature, ...link }: LinkClaims & { signature: string },
  range: Range,
): Promise<OpenedFile> {
  const { store, clock, links } = context;
  if (!links.isSignedBy(link, signature) || link.expires * 1000 <= clock.now())
    return fail('forbidden', 'The link has expired or was changed. Request a new one.');
  const file = await store.getDocument({ orgId: link.orgId, type: 'file', id: link.fileId });
  return file ? opened(context, file.record, range) : fail('file-not-found', `There is no file ${link.fileId}.`);
}

export async function loadFile(context: Context, caller: Caller, id: string): Promise<Document<'file'>> {
  const file = await context.store.getDocument({ orgId: caller.orgId, type: 'file', id });
  if (file && mayReadFileOf(caller, file.record) && (await isFileInScope(context, caller, file.record))) return file;
  return fail('file-not-found', `There is no file ${id}.`);
}

async function isFileInScope(
  context: Context,
  caller: Caller,
  { threadId, interactionId }: StoredFile,
): Promise<boolean> {
  if (interactionId === undefined) return isWholeThreadInScope(caller, threadId);
  const interaction = await context.store.getInteraction({ orgId: caller.orgId, id: interactionId });
  return interaction !== undefined && isInScope(context, caller, interaction);
}
