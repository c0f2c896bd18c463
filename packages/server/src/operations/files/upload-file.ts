import { type FileRef, HoldpointError, type StoredFile, type UploadField, type UploadFile } from '@holdpoint/protocol';
import { tooLarge } from '../../blobs/at-most.ts';
import { type Caller, responderOf } from '../../domain/caller.ts';
import { refOf } from '../../domain/files/answer-files.ts';
import { imageSize } from '../../domain/files/image-size.ts';
import { judgeType } from '../../domain/files/judge-type.ts';
import { maxBytesOf, mayUpload, uploadFieldOf } from '../../domain/files/may-upload.ts';
import { safeName } from '../../domain/files/safe-name.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { loadInteraction } from '../load.ts';
import { authorize, orThrow, perform } from '../perform.ts';
import { discardBytes } from './discard.ts';
import { findType } from './find-type.ts';
import { freeName } from './loose-files.ts';
import { measured } from './measured.ts';

/** One that no answer carries by then is deleted; an upload takes less. */
export const orphanAfterMs = 86_400_000;
/** Enough to know a type by, and for the size of a photo that carries a preview of itself. */
const headBytes = 128 * 1024;

/**
 * First a timer, then the bytes, then the record: whatever is cut short is found by the timer, and what has no record is
 * served to nobody.
 */
export async function uploadFile(context: Context, caller: Caller, input: UploadFile): Promise<FileRef> {
  authorize(caller, 'uploadFile');
  const { orgId } = caller;
  const { field } = await admitted(context, caller, input);
  await freeName(context, caller, input);
  const maxBytes = maxBytesOf(field);
  if ((input.announcedBytes ?? 0) > maxBytes) tooLarge(maxBytes);
  const { head, content, size, sha256 } = await measured(input.content, Math.min(headBytes, maxBytes + 1));
  const name = safeName(input.name);
  const { mime } = orThrow(judgeType(field, { name, ...declared(input), ...(await findType(head)) }));

  const id = context.newId();
  const collectedAt = () => ({ timers: [{ kind: 'file', id, dueAt: context.clock.now() + orphanAfterMs } as const] });
  await context.store.commit({ orgId, ...collectedAt() });
  try {
    await context.blobs.write(id, content, { maxBytes });
    const more = { sha256: sha256(), size: size(), ...imageSize(mime, head) };
    return await perform(context, caller, {
      verb: 'uploadFile',
      input: {},
      attempt: async () => {
        // It may have been answered meanwhile.
        const { threadId } = await admitted(context, caller, input);
        const alias = await freeName(context, caller, input);
        const record: StoredFile = {
          ...{ id, threadId, interactionId: input.interactionId, field: input.field, name, mime, ...more },
          retention: field.type === 'signature' ? 'persistent' : (field.retention ?? 'persistent'),
          isAnswered: false,
          by: orThrow(responderOf(caller, undefined)),
          at: timestamp(context.clock.now()),
        };
        return {
          change: { documents: [{ type: 'file', id, record, expected: null, ...alias }], ...collectedAt() },
          resource: { type: 'interaction', id: input.interactionId },
          result: refOf(record),
        };
      },
      reload: () => Promise.reject(new Error('an upload is not remembered')),
    });
  } catch (error) {
    // Where it is not known whether the record was stored, the timer will find out.
    if (!(error instanceof HoldpointError) || error.code !== 'storage-unavailable')
      await discardBytes(context, { orgId, id });
    throw error;
  }
}

async function admitted(
  context: Context,
  caller: Caller,
  input: UploadFile,
): Promise<{ field: UploadField; threadId: string }> {
  const interaction = await loadInteraction(context, caller, input.interactionId);
  const by = caller.kind === 'responder' ? orThrow(responderOf(caller, undefined)) : undefined;
  const fault = mayUpload(interaction, by, context.clock.now());
  if (fault) throw new HoldpointError(fault);
  return { field: orThrow(uploadFieldOf(interaction, input.field)), threadId: interaction.threadId };
}

const declared = ({ mime }: UploadFile) => (mime === undefined ? {} : { declared: mime });
