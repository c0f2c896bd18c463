import type { AttachFile, StoredFile, UploadField } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { threadFileId } from '../../domain/files/thread-files.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { authorize, perform } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { storeFile } from './store-file.ts';

/** Takes every type, as an upload field without `accept` does. */
const field: UploadField = { type: 'file_upload', name: 'file' };

/** Takes a file into a thread. No question asks for it, so it is kept until somebody deletes it. */
export async function attachFile(context: Context, caller: Caller, input: AttachFile): Promise<StoredFile> {
  authorize(caller, 'attachFile');
  const { orgId } = caller;
  const { threadId } = input;
  await loadThread(context, caller, threadId);
  return storeFile(context, orgId, {
    sent: input,
    field,
    record: async (seen) => {
      const { messageId } = input;
      if (messageId !== undefined) await checkMessage(context, orgId, { threadId, messageId });
      const record: StoredFile = {
        ...{ ...seen, threadId, ...(messageId === undefined ? {} : { messageId }) },
        ...{ retention: 'persistent', isAnswered: false, by: actorOf(caller), at: timestamp(context.clock.now()) },
      };
      return perform(context, caller, {
        verb: 'attachFile',
        input: {},
        attempt: async () => ({
          change: {
            documents: [
              { type: 'file', id: seen.id, record, expected: null },
              { type: 'thread-file', id: threadFileId(threadId, seen.id), record: { fileId: seen.id }, expected: null },
            ],
            timers: [{ kind: 'file', id: seen.id, dueAt: null }],
            log: { threadId, events: [fileAttached(record, record.at, record.by)] },
          },
          resource: { type: 'thread', id: threadId },
          result: record,
        }),
        reload: () => Promise.reject(new Error('an upload is not remembered')),
      });
    },
  });
}

export const fileAttached = (file: StoredFile, at: string, actor: StoredFile['by']) =>
  ({ type: 'file.attached', at, actor, data: { file } }) as const;

async function checkMessage(
  { store }: Context,
  orgId: string,
  { threadId, messageId }: { threadId: string; messageId: string },
): Promise<void> {
  const message = await store.getMessage({ orgId, id: messageId });
  if (message?.threadId === threadId) return;
  const text = 'The thread has no such message.';
  throw invalidInput([{ pointer: '/messageId', code: 'unknown-message', message: text }]);
}
