import type { StoredFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { loadFile } from './load-file.ts';

export async function getFile(context: Context, caller: Caller, { fileId }: { fileId: string }): Promise<StoredFile> {
  authorize(caller, 'getFile');
  return (await loadFile(context, caller, fileId)).record;
}
