import { fail, type OpenedFile } from '@holdpoint/protocol';
import type { Context } from '../context.ts';
import { opened } from './open-file.ts';

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
