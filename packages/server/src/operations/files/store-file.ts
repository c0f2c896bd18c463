/**
 * First a timer, then the bytes, then the record: whatever is cut short is found by the timer, and what has no record is
 * served to nobody.
 */
import { HoldpointError, type StoredFile, type UploadField } from '@holdpoint/protocol';
import { tooLarge } from '../../blobs/at-most.ts';
import { imageSize } from '../../domain/files/image-size.ts';
import { judgeType } from '../../domain/files/judge-type.ts';
import { maxBytesOf } from '../../domain/files/may-upload.ts';
import { safeName } from '../../domain/files/safe-name.ts';
import type { TimerChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { orThrow } from '../perform.ts';
import { discardBytes } from './discard.ts';
import { findType } from './find-type.ts';
import { measured } from './measured.ts';

/** One that no answer carries by then is deleted; an upload takes less. */
export const orphanAfterMs = 86_400_000;
/** Enough to know a type by, and for the size of a photo that carries a preview of itself. */
const headBytes = 128 * 1024;

interface Sent {
  name: string;
  mime?: string;
  announcedBytes?: number;
  content: AsyncIterable<Uint8Array>;
}

type Seen = Pick<StoredFile, 'id' | 'name' | 'mime' | 'size' | 'sha256' | 'width' | 'height'>;

/** When the bytes of a file without a record are removed. */
export const collected = ({ clock }: Context, id: string): TimerChange => ({
  kind: 'file',
  id,
  dueAt: clock.now() + orphanAfterMs,
});

export async function storeFile<T>(
  context: Context,
  orgId: string,
  { sent, field, record }: { sent: Sent; field: UploadField; record(seen: Seen): Promise<T> },
): Promise<T> {
  const maxBytes = maxBytesOf(field);
  if ((sent.announcedBytes ?? 0) > maxBytes) tooLarge(maxBytes);
  const { head, content, size, sha256 } = await measured(sent.content, Math.min(headBytes, maxBytes + 1));
  const name = safeName(sent.name);
  const declared = sent.mime === undefined ? {} : { declared: sent.mime };
  const { mime } = orThrow(judgeType(field, { name, ...declared, ...(await findType(head)) }));
  const id = context.newId();
  await context.store.commit({ orgId, timers: [collected(context, id)] });
  try {
    await context.blobs.write(id, content, { maxBytes });
    return await record({ id, name, mime, sha256: sha256(), size: size(), ...imageSize(mime, head) });
  } catch (error) {
    // Where it is not known whether the record was stored, the timer will find out.
    if (!(error instanceof HoldpointError) || error.code !== 'storage-unavailable')
      await discardBytes(context, { orgId, id });
    throw error;
  }
}
