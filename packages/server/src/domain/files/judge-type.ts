/** Decides the type of a file, and whether its field accepts it. The content decides: a file whose name or declared type differs is rejected. */
import { acceptOf, accepts, type Fault, type UploadField } from '@holdpoint/protocol';
import type { TextKind } from './first-bytes.ts';
import {
  isInContainer,
  isMedia,
  isShown,
  isText,
  isTypeName,
  subtypeOf,
  typeName,
  typeOfExtension,
} from './media-types.ts';
import { extensionOf } from './safe-name.ts';

export interface SeenFile {
  name: string;
  /** The type that the sender declares. */
  declared?: string;
  /** The type that its first bytes show. */
  found?: string;
  text?: TextKind;
  /** Types that their first bytes always show. */
  recognised: ReadonlySet<string>;
}

const unspecific = ['application/octet-stream', 'binary/octet-stream', 'application/x-unknown'];
const ofText: Record<TextKind, string> = {
  html: 'text/html',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  plain: 'text/plain',
};

export function judgeType(field: UploadField, file: SeenFile): { mime: string } | Fault {
  const content = contentType(file);
  const claims = claimsOf(file);
  const disguise = claims.find((claim) => !agrees(claim, content, file.recognised));
  if (disguise !== undefined)
    return refusal(`"${file.name}" is said to be ${disguise}, but its content is ${content ?? 'something else'}.`);
  const mime = refined(content, claims);
  const wanted = field.type === 'signature' ? ['image/png'] : acceptOf(field);
  if (wanted.length === 0) return { mime };
  const taken = wanted.find((entry) => accepts(entry, { name: file.name, mime }) || typeName(entry) === mime);
  if (taken === undefined) return refusal(`"${file.name}" is ${mime}; this field takes ${wanted.join(', ')}.`);
  // If the field writes the type in another way, the answer uses that form.
  const spelt = taken.trim().toLowerCase();
  return { mime: typeName(taken) === mime && isTypeName(spelt) ? spelt : mime };
}

const refusal = (detail: string): Fault => ({ code: 'file-type-refused', detail });

function contentType({ found, text }: SeenFile): string | undefined {
  if (text === 'html' || text === 'svg') return ofText[text];
  if (found !== undefined) return typeName(found);
  return text === undefined ? undefined : ofText[text];
}

function claimsOf({ declared = '', name }: SeenFile): string[] {
  const claims = [typeName(declared), typeOfExtension(extensionOf(name)) ?? ''];
  return [...new Set(claims)].filter((claim) => isTypeName(claim) && !unspecific.includes(claim));
}

function agrees(claim: string, content: string | undefined, recognised: ReadonlySet<string>): boolean {
  if (claim === content) return true;
  if (claim === 'image/svg+xml') return false;
  if (isText(claim)) return content !== undefined && isTextContent(content);
  // The first bytes of such a file show nothing, so they cannot contradict the claim.
  const isUnknowable = !recognised.has(claim) && !isShown(claim);
  if (content === undefined) return isUnknowable;
  if (isInContainer(claim, content) || isInContainer(content, claim)) return true;
  if (isMedia(claim) && isMedia(content)) return true;
  return isUnknowable && content === 'text/plain';
}

const isTextContent = (content: string): boolean => isText(content) || content === 'image/svg+xml';

/** Returns the type of the content, or a more specific claimed type that the content does not contradict. */
function refined(content: string | undefined, claims: readonly string[]): string {
  if (content === undefined) return claims[0] ?? 'application/octet-stream';
  const closer = claims.find((claim) => {
    if (isInContainer(claim, content)) return true;
    if (isMedia(content)) return subtypeOf(claim) === subtypeOf(content);
    return content === 'text/plain' || (content === 'application/xml' && claim.endsWith('+xml'));
  });
  return closer ?? content;
}
