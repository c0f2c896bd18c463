/** The files of an answer: loaded before it is judged, and kept from being collected once it is given. */
import type { FreeObject, Interaction } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Outcome } from '../../domain/command.ts';
import { namedFiles } from '../../domain/files/answer-files.ts';
import type { Change, Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';

export async function loadNamedFiles(
  { store }: Context,
  { orgId }: Caller,
  { fields }: Interaction,
  values: FreeObject,
): Promise<Document<'file'>[]> {
  const ids = namedFiles(fields, values);
  const found = await Promise.all(ids.map((id) => store.getDocument({ orgId, type: 'file', id })));
  return found.filter((file) => file !== undefined);
}

/** Those that are kept have nothing to wait for; of a transient one the timer asks now and then whether its run has ended. */
export function answeredFiles(
  { answeredFiles: answered = [] }: Outcome,
  files: readonly Document<'file'>[],
): Pick<Change, 'documents' | 'timers'> {
  const fresh = files.filter(({ id, record }) => answered.includes(id) && !record.isAnswered);
  if (fresh.length === 0) return {};
  return {
    documents: fresh.map(({ id, revision, record }) => ({
      type: 'file',
      id,
      record: { ...record, isAnswered: true },
      expected: revision,
    })),
    timers: fresh
      .filter(({ record }) => record.retention === 'persistent')
      .map(({ id }) => ({ kind: 'file', id, dueAt: null })),
  };
}
