/** Uploads: a file for a field of a question, or for a thread. */
import { hash } from 'node:crypto';
import {
  type Actor,
  defined,
  type FileRef,
  fail,
  HoldpointError,
  limits,
  type StoredFile,
  type UploadFile,
} from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { mayUpload, refOf, uploadFieldOf } from '../../domain/files/upload-fields.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context, Operation } from '../context.ts';
import { loadInteraction } from '../interactions/interactions.ts';
import { respondingTo } from '../interactions/responders.ts';
import { invalidInput } from '../invalid-input.ts';
import { orThrow, save } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { threadFileId } from './read-files.ts';
import { collected, storeFile } from './store-file.ts';

export const uploadFile: Operation<'uploadFile'> = async (context, caller, input) => {
  const { field, by } = await admitted(context, caller, input);
  await freeName(context, caller, by, input);
  return storeFile<FileRef>(context, caller.orgId, {
    sent: input,
    field,
    record: (seen) =>
      save(context, caller, async () => {
        // An answer may have closed the question meanwhile.
        const { threadId } = await admitted(context, caller, input);
        const alias = await freeName(context, caller, by, input);
        const record: StoredFile = {
          ...{ ...seen, threadId, interactionId: input.interactionId, field: input.field },
          retention: field.type === 'signature' ? 'persistent' : (field.retention ?? 'persistent'),
          isAnswered: false,
          by,
          at: timestamp(context.clock.now()),
        };
        return {
          change: {
            documents: [{ type: 'file', id: seen.id, record, expected: null, ...alias }],
            timers: [collected(context, seen.id)],
          },
          result: refOf(record),
        };
      }),
  });
};

/** Returns the field, the thread and the responder for an upload that is allowed. */
async function admitted(context: Context, caller: Caller, input: UploadFile) {
  const interaction = await loadInteraction(context, caller, input.interactionId);
  const responder = await respondingTo(context, caller, interaction);
  const fault = mayUpload(interaction, caller.kind === 'key' ? undefined : responder, context.clock.now());
  if (fault) throw new HoldpointError(fault);
  return { field: orThrow(uploadFieldOf(interaction, input.field)), threadId: interaction.threadId, by: responder.by };
}

/** As many files as an answer may carry, and the same number of discarded ones. */
const most = 2 * limits.filesPerField;

const retryAfterMs = 3_600_000;

/**
 * Returns a name that no other file has. The names for a responder and field are numbered, and a file keeps its name until
 * an answer carries it or it is deleted. So no files are counted: if two uploads want the same name, the store gives it to
 * one. Keys upload for many people, and need no name.
 */
async function freeName(
  { store }: Context,
  { kind, orgId }: Caller,
  { id: responderId }: Actor,
  { interactionId, field }: UploadFile,
): Promise<{ alias?: string }> {
  if (kind === 'key') return {};
  for (let number = 0; number < most; number++) {
    const alias = hash('sha256', JSON.stringify([interactionId, field, responderId, number]), 'base64url');
    if (!(await store.findDocument({ orgId, type: 'file', alias }))) return { alias };
  }
  return fail('rate-limited', `A field can have at most ${most} files that are in no answer. Answer with these.`, {
    retryAfterMs,
  });
}

/** Takes a file into a thread. No question asks for it, so it is kept until a caller deletes it. */
export const attachFile: Operation<'attachFile'> = async (context, caller, input) => {
  const { orgId } = caller;
  const { threadId } = input;
  await loadThread(context, caller, threadId);
  return storeFile<StoredFile>(context, orgId, {
    sent: input,
    // Takes every type, like an upload field without `accept`.
    field: { type: 'file_upload', name: 'file' },
    record: async (seen) => {
      // Read after the content, because a form can name it last.
      const { messageId } = input;
      const message = messageId === undefined ? undefined : await context.store.getMessage({ orgId, id: messageId });
      if (messageId !== undefined && message?.threadId !== threadId) {
        const text = 'The thread has no such message.';
        throw invalidInput([{ pointer: '/messageId', code: 'unknown-message', message: text }]);
      }
      const record: StoredFile = {
        ...{ ...seen, threadId, ...defined({ messageId }) },
        ...{ retention: 'persistent', isAnswered: false, by: actorOf(caller), at: timestamp(context.clock.now()) },
      };
      const { id } = seen;
      return save(context, caller, async () => ({
        change: {
          documents: [
            { type: 'file', id, record, expected: null },
            { type: 'thread-file', id: threadFileId(threadId, id), record: { fileId: id }, expected: null },
          ],
          timers: [{ kind: 'file', id, dueAt: null }],
          log: { threadId, events: [fileAttached(record, record.at, record.by)] },
        },
        result: record,
      }));
    },
  });
};

export const fileAttached = (file: StoredFile, at: string, actor: StoredFile['by']) =>
  ({ type: 'file.attached', at, actor, data: { file } }) as const;
