import type { OpenedFile, StoredFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { loadFile } from './load-file.ts';

export async function openFile(
  context: Context,
  caller: Caller,
  { fileId, ...range }: { fileId: string; from?: number; to?: number },
): Promise<OpenedFile> {
  authorize(caller, 'openFile');
  return opened(context, (await loadFile(context, caller, fileId)).record, range);
}

/** Nothing is read before somebody asks for the first piece. */
export function opened(
  { blobs }: Context,
  file: StoredFile,
  { from = 0, to = file.size }: { from?: number; to?: number },
): OpenedFile {
  return { file, content: blobs.read(file.id, { from, to: Math.min(to, file.size) }) };
}
