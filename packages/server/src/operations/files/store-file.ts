/**
 * Stores a file: first a timer, then the bytes, then the record. After a crash the timer finds an incomplete file, and the
 * server never serves bytes without a record.
 */
import { createHash } from 'node:crypto';
import { defined, hasCode, onFault, type StoredFile, type UploadField, type UploadFile } from '@holdpoint/protocol';
import { tooLarge } from '../../blobs/blob-store.ts';
import { imageSize, textKind } from '../../domain/files/first-bytes.ts';
import { judgeType, type SeenFile } from '../../domain/files/judge-type.ts';
import { typeName } from '../../domain/files/media-types.ts';
import { safeName } from '../../domain/files/safe-name.ts';
import { maxBytesOf } from '../../domain/files/upload-fields.ts';
import type { TimerChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { orThrow } from '../perform.ts';

/** A file that no answer carries after this time is deleted. An upload takes less. */
export const orphanAfterMs = 86_400_000;

/** Enough to recognise a type, and for the size of a photo that contains its own preview. */
const headBytes = 128 * 1024;

type Seen = Pick<StoredFile, 'id' | 'name' | 'mime' | 'size' | 'sha256' | 'width' | 'height'>;

/** The timer that removes the bytes of a file without a record. */
export const collected = ({ clock }: Context, id: string): TimerChange => ({
  kind: 'file',
  id,
  dueAt: clock.now() + orphanAfterMs,
});

export async function storeFile<T>(
  context: Context,
  orgId: string,
  upload: { sent: Omit<UploadFile, 'interactionId' | 'field'>; field: UploadField; record(seen: Seen): Promise<T> },
): Promise<T> {
  const { sent, field, record } = upload;
  const maxBytes = maxBytesOf(field);
  if ((sent.announcedBytes ?? 0) > maxBytes) tooLarge(maxBytes);
  const { head, content, size, sha256 } = await measured(sent.content, Math.min(headBytes, maxBytes + 1));
  const name = safeName(sent.name);
  const seen = { name, ...defined({ declared: sent.mime }), ...(await findType(head)) };
  const { mime } = orThrow(judgeType(field, seen));
  const id = context.newId();
  await context.store.commit({ orgId, timers: [collected(context, id)] });
  try {
    await context.blobs.write(id, content, { maxBytes });
    return await record({ id, name, mime, sha256: sha256(), size: size(), ...imageSize(mime, head) });
  } catch (error) {
    // If it is unknown whether the record was stored, the timer will find out.
    if (!hasCode(error, 'storage-unavailable')) await discardBytes(context, { orgId, id });
    throw error;
  }
}

/**
 * Reads the first bytes, as many as asked for or as there are. They are also in the returned content. Its size and its hash
 * are known right after its end.
 */
async function measured(content: AsyncIterable<Uint8Array>, headBytes: number) {
  const hash = createHash('sha256');
  const pieces = content[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  let size = 0;
  let isDone = false;
  while (size < headBytes && !isDone) {
    const next = await pieces.next();
    isDone = next.done === true;
    if (!next.done) {
      // The sender may reuse the memory of a piece once it is asked for the next.
      first.push(Buffer.from(next.value));
      size += next.value.byteLength;
    }
  }
  const begun = Buffer.concat(first.splice(0));
  const head = begun.subarray(0, headBytes);
  hash.update(begun);

  async function* all() {
    try {
      yield begun;
      while (!isDone) {
        const next = await pieces.next();
        if (next.done) return;
        size += next.value.byteLength;
        hash.update(next.value);
        yield next.value;
      }
    } finally {
      await pieces.return?.();
    }
  }
  return { head, content: all(), size: () => size, sha256: () => hash.digest('hex') };
}

async function findType(head: Uint8Array): Promise<Pick<SeenFile, 'found' | 'text' | 'recognised'>> {
  // Loaded at the first upload, so that a server without uploads does not wait for it.
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type');
  recognised ??= new Set([...supportedMimeTypes].map(typeName));
  const found = head.byteLength === 0 ? undefined : await fileTypeFromBuffer(head);
  const text = textKind(head);
  return { recognised, ...defined({ found: found?.mime, text }) };
}

let recognised: Set<string> | undefined;

/** Deletes the bytes of a file without a record. If the storage is unavailable, the timer of the file retries. */
export async function discardBytes(
  { store, blobs }: Pick<Context, 'store' | 'blobs'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  const discard = async () => {
    await blobs.remove(id);
    await store.commit({ orgId, timers: [{ kind: 'file', id, dueAt: null }] });
  };
  await onFault('storage-unavailable', discard, () => {});
}
