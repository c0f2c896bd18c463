import type { FileLink, LinkFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { loadFile } from './load-file.ts';

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
