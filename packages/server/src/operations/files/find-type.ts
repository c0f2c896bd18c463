/** What the first bytes of a file are known for. */
import type { SeenFile } from '../../domain/files/judge-type.ts';
import { typeName } from '../../domain/files/media-types.ts';
import { textKind } from '../../domain/files/text-kind.ts';

export async function findType(head: Uint8Array): Promise<Pick<SeenFile, 'found' | 'text' | 'recognised'>> {
  // Who never uploads does not wait for it to load.
  const { fileTypeFromBuffer, supportedMimeTypes } = await import('file-type');
  recognised ??= new Set([...supportedMimeTypes].map(typeName));
  const found = head.byteLength === 0 ? undefined : await fileTypeFromBuffer(head);
  const text = textKind(head);
  return { recognised, ...(found ? { found: found.mime } : {}), ...(text ? { text } : {}) };
}

let recognised: Set<string> | undefined;
