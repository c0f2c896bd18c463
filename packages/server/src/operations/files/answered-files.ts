/** The files that an answer names: loaded before the answer is judged, and kept once it is given. */
import type { FreeObject, Interaction, Run } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Outcome } from '../../domain/command.ts';
import { isUploadField, namedFiles } from '../../domain/files/upload-fields.ts';
import type { Document } from '../../stores/documents.ts';
import type { Context } from '../context.ts';
import { type OrgChange, pagesOf } from '../perform.ts';

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

/**
 * Marks the files as answered. A persistent file needs no timer any more. The timer of a transient file checks once a
 * day whether its run has ended.
 */
export function answeredFiles(
  { answeredFiles: answered = [] }: Outcome,
  files: readonly Document<'file'>[],
): Pick<OrgChange, 'documents' | 'timers'> {
  const fresh = files.filter(({ id, record }) => answered.includes(id) && !record.isAnswered);
  if (fresh.length === 0) return {};
  return {
    documents: fresh.map(({ id, revision: expected, record }) => {
      return { type: 'file', id, record: { ...record, isAnswered: true }, expected };
    }),
    timers: fresh
      .filter(({ record }) => record.retention === 'persistent')
      .map(({ id }) => ({ kind: 'file', id, dueAt: null })),
  };
}

const pageSize = 200;

/** Returns the ids of the files that answers carry only until the run that asked for them ends. */
export async function transientFilesOf(
  { store }: Pick<Context, 'store'>,
  orgId: string,
  { id: runId, threadId }: Pick<Run, 'id' | 'threadId'>,
): Promise<string[]> {
  const found = new Set<string>();
  const wanted = { orgId, threadId, runId, limit: pageSize };
  for await (const items of pagesOf((from) => store.listInteractions({ ...wanted, ...from })))
    for (const id of items.flatMap(transientFiles)) found.add(id);
  return [...found];
}

/** Includes the files of every vote, not only of the vote that closed the question. */
function transientFiles({ fields, votes }: Interaction): string[] {
  const transient = fields.filter(
    (field) => isUploadField(field) && field.type !== 'signature' && field.retention === 'transient',
  );
  return transient.length === 0 ? [] : votes.flatMap(({ values }) => namedFiles(transient, values));
}
