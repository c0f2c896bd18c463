import { type FileRef, HoldpointError, type StoredFile, type UploadField, type UploadFile } from '@holdpoint/protocol';
import { type Caller, responderOf } from '../../domain/caller.ts';
import { refOf } from '../../domain/files/answer-files.ts';
import { mayUpload, uploadFieldOf } from '../../domain/files/may-upload.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { loadInteraction } from '../load.ts';
import { authorize, orThrow, perform } from '../perform.ts';
import { freeName } from './loose-files.ts';
import { collected, storeFile } from './store-file.ts';

export async function uploadFile(context: Context, caller: Caller, input: UploadFile): Promise<FileRef> {
  authorize(caller, 'uploadFile');
  const { field } = await admitted(context, caller, input);
  await freeName(context, caller, input);
  return storeFile(context, caller.orgId, {
    sent: input,
    field,
    record: (seen) =>
      perform(context, caller, {
        verb: 'uploadFile',
        input: {},
        attempt: async () => {
          // It may have been answered meanwhile.
          const { threadId } = await admitted(context, caller, input);
          const alias = await freeName(context, caller, input);
          const record: StoredFile = {
            ...{ ...seen, threadId, interactionId: input.interactionId, field: input.field },
            retention: field.type === 'signature' ? 'persistent' : (field.retention ?? 'persistent'),
            isAnswered: false,
            by: orThrow(responderOf(caller, undefined)),
            at: timestamp(context.clock.now()),
          };
          return {
            change: {
              documents: [{ type: 'file', id: seen.id, record, expected: null, ...alias }],
              timers: [collected(context, seen.id)],
            },
            resource: { type: 'interaction', id: input.interactionId },
            result: refOf(record),
          };
        },
        reload: () => Promise.reject(new Error('an upload is not remembered')),
      }),
  });
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
