import { hash } from 'node:crypto';
import {
  type FileRef,
  fail,
  HoldpointError,
  limits,
  type StoredFile,
  type UploadField,
  type UploadFile,
} from '@holdpoint/protocol';
import { type Caller, responderOf } from '../../domain/caller.ts';
import { mayUpload, refOf, uploadFieldOf } from '../../domain/files/upload-fields.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { loadInteraction } from '../interactions/interactions.ts';
import { authorize, orThrow, perform } from '../perform.ts';
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

/** Everything an answer may carry, and as much again that was thought better of. */
const most = 2 * limits.filesPerField;

const retryAfterMs = 3_600_000;

type Place = Pick<UploadFile, 'interactionId' | 'field'>;

/**
 * A name that no other file has: there are only so many, and a file has its own until an answer carries it or it is gone.
 * Nobody has to count, and of two that want the same one the store lets one have it. Keys upload for many, and need none.
 */
async function freeName({ store }: Context, caller: Caller, place: Place): Promise<{ alias?: string }> {
  if (caller.kind === 'key') return {};
  const { orgId, responderId } = caller;
  for (let number = 0; number < most; number++) {
    const alias = hash('sha256', JSON.stringify([place.interactionId, place.field, responderId, number]), 'base64url');
    if (!(await store.findDocument({ orgId, type: 'file', alias }))) return { alias };
  }
  return fail('rate-limited', `At most ${most} files for a field wait for an answer; answer with those.`, {
    retryAfterMs,
  });
}
