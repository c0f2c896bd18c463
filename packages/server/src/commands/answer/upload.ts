/** A file of this machine for a field, by its path. */
import { createReadStream, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import type { FileRef, HoldpointService } from '@holdpoint/protocol';

export class NoSuchFile extends Error {
  override name = 'NoSuchFile';
}

export interface Uploads {
  service: HoldpointService;
  interactionId: string;
}

export async function upload({ service, interactionId }: Uploads, field: string, path: string): Promise<FileRef> {
  const file = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new NoSuchFile(`There is no file ${path}.`);
  // Of what type it is the server says, by its bytes.
  return service.uploadFile({ interactionId, field, name: basename(file), content: createReadStream(file) });
}
