import type { Field, Interaction, Run } from '@holdpoint/protocol';
import { isUploadField, namedFiles } from '../../domain/files/answer-files.ts';
import type { Context } from '../context.ts';

const pageSize = 200;

/** The ids of the files that answers carry only until the run that asked for them ends. */
export async function transientFilesOf(
  { store }: Pick<Context, 'store'>,
  orgId: string,
  { id: runId, threadId }: Pick<Run, 'id' | 'threadId'>,
): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listInteractions({
      ...{ orgId, threadId, runId, limit: pageSize },
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...page.items.flatMap(transientFiles));
    cursor = page.next;
  } while (cursor !== undefined);
  return [...new Set(found)];
}

/** Of every vote, not only of the one that closed it. */
function transientFiles({ fields, votes }: Interaction): string[] {
  const transient = fields.filter(isTransient);
  return transient.length === 0 ? [] : votes.flatMap(({ values }) => namedFiles(transient, values));
}

const isTransient = (field: Field): boolean =>
  isUploadField(field) && field.type !== 'signature' && field.retention === 'transient';
