/** Removes a file: its record, then its bytes, then the timer that would have done the rest after a crash in between. */
import { HoldpointError } from '@holdpoint/protocol';
import type { Change, Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';

export const removedFile = ({ id, revision }: Document<'file'>, now: number): Pick<Change, 'documents' | 'timers'> => ({
  documents: [{ type: 'file', id, record: null, expected: revision }],
  timers: [{ kind: 'file', id, dueAt: now }],
});

/** Of a file that has no record, or none any more. Where the storage is away, its timer stays and tries again. */
export async function discardBytes(
  { store, blobs }: Pick<Context, 'store' | 'blobs'>,
  { orgId, id }: { orgId: string; id: string },
): Promise<void> {
  try {
    await blobs.remove(id);
    await store.commit({ orgId, timers: [{ kind: 'file', id, dueAt: null }] });
  } catch (error) {
    if (!(error instanceof HoldpointError) || error.code !== 'storage-unavailable') throw error;
  }
}
