/** Reads files. A file outside the caller's scope is reported as not found; a session reads only its own. */
import { type FileLink, fail, type LinkFile, type OpenedFile, type Page, type StoredFile } from '@holdpoint/protocol';
import { type Caller, mayReadFileOf, reachesInteraction, reachesWholeThread } from '../../domain/caller.ts';
import { cursorOf, listedAfter } from '../../domain/files/thread-files.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { authorize, pageLimit } from '../perform.ts';
import { loadThread } from '../threads.ts';

export async function getFile(context: Context, caller: Caller, { fileId }: { fileId: string }): Promise<StoredFile> {
  authorize(caller, 'getFile');
  return (await loadFile(context, caller, fileId)).record;
}

/** Files that were attached to a thread, the newest first. */
export async function listFiles(
  context: Context,
  caller: Caller,
  { threadId, cursor, limit: asked }: { threadId: string; cursor?: string; limit?: number },
): Promise<Page<StoredFile>> {
  authorize(caller, 'listFiles');
  const { orgId } = caller;
  const { store } = context;
  await loadThread(context, caller, threadId);
  const limit = pageLimit(asked);
  const after = listedAfter(threadId, cursor);
  // One more than wanted shows whether more files of this thread follow.
  const { items } = await store.listDocuments({ orgId, type: 'thread-file', cursor: after, limit: limit + 1 });
  const listed = items.filter(({ id }) => cursorOf(threadId, id) !== undefined);
  const own = listed.slice(0, limit);
  const found = await Promise.all(
    own.map(({ record }) => store.getDocument({ orgId, type: 'file', id: record.fileId })),
  );
  const data = found.flatMap((file) => (file ? [file.record] : []));
  const last = own.at(-1);
  const place = last && listed.length > limit ? cursorOf(threadId, last.id) : undefined;
  return { data, ...(place === undefined ? {} : { next: place }) };
}

export async function openFile(
  context: Context,
  caller: Caller,
  { fileId, ...range }: { fileId: string; from?: number; to?: number },
): Promise<OpenedFile> {
  authorize(caller, 'openFile');
  return opened(context, (await loadFile(context, caller, fileId)).record, range);
}

/** Nothing is read before somebody asks for the first piece. */
function opened(
  { blobs }: Context,
  file: StoredFile,
  { from = 0, to = file.size }: { from?: number; to?: number },
): OpenedFile {
  return { file, content: blobs.read(file.id, { from, to: Math.min(to, file.size) }) };
}

const defaultTtlSeconds = 3_600;

/** A person's token lives an hour or so, and a link must not be the way around that. */
const longestForResponders = 3_600;

/** A link is stored nowhere: it is made of the file, a time, and a signature of both. */
export async function linkFile(
  context: Context,
  caller: Caller,
  { fileId, ttlSeconds = defaultTtlSeconds }: { fileId: string } & LinkFile,
): Promise<FileLink> {
  authorize(caller, 'linkFile');
  const { id } = await loadFile(context, caller, fileId);
  const longest = caller.kind === 'responder' ? longestForResponders : ttlSeconds;
  const expires = Math.ceil(context.clock.now() / 1000) + Math.min(ttlSeconds, longest);
  const signature = context.links.sign({ orgId: caller.orgId, fileId: id, expires });
  const query = new URLSearchParams({ org: caller.orgId, expires: String(expires), signature });
  return { url: `/v1/files/${id}/content?${query}`, expiresAt: timestamp(expires * 1000) };
}

/** What a link says of itself, all of it under its signature. */
export interface GivenLink {
  orgId: string;
  fileId: string;
  expires: number;
  signature: string;
}

/** Whoever has a link that is not past its time may read that file, and nothing else. */
export async function openLinkedFile(
  context: Context,
  { signature, ...link }: GivenLink,
  range: { from?: number; to?: number } = {},
): Promise<OpenedFile> {
  const { store, clock, links } = context;
  if (!links.isSignedBy(link, signature) || link.expires * 1000 <= clock.now())
    return fail('forbidden', 'The link has expired, or was changed; ask for a new one.');
  const file = await store.getDocument({ orgId: link.orgId, type: 'file', id: link.fileId });
  return file ? opened(context, file.record, range) : fail('file-not-found', `There is no file ${link.fileId}.`);
}

export async function loadFile({ store }: Context, caller: Caller, id: string): Promise<Document<'file'>> {
  const { orgId } = caller;
  const file = await store.getDocument({ orgId, type: 'file', id });
  if (file && mayReadFileOf(caller, file.record) && (await isReached(store, caller, file.record))) return file;
  return fail('file-not-found', `There is no file ${id}.`);
}

async function isReached(
  store: Context['store'],
  caller: Caller,
  { threadId, interactionId }: StoredFile,
): Promise<boolean> {
  if (interactionId === undefined) return reachesWholeThread(caller, threadId);
  const interaction = await store.getInteraction({ orgId: caller.orgId, id: interactionId });
  return interaction !== undefined && reachesInteraction(caller, interaction);
}
