/** The name of an uploaded file as it may be shown, logged and saved on any system. */

/** File systems take 255 bytes. The rest is room for a prefix or suffix. */
const maxBytes = 200;

// Controls, marks that reverse the direction of text (so that "gpj.exe" reads "exe.jpg"), and invisible characters.
const unseen =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
const forbidden = /[<>:"|?*/\\]/g;
const reserved = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i;

export function safeName(sent: string): string {
  const last = sent.split(/[/\\]/).at(-1) ?? '';
  const seen = last.normalize('NFC').replace(unseen, '').replace(forbidden, '_');
  const trimmed = withoutTail(seen.replace(/^[\s.]+/u, ''));
  const { stem, extension } = parts(trimmed);
  // Windows treats such a name as a device, also with any extension.
  const isDevice = reserved.test((trimmed.split('.', 1)[0] ?? '').trimEnd());
  const room = maxBytes - byteLength(extension);
  return `${shortened(isDevice ? `_${stem}` : stem, room).trimEnd() || 'file'}${extension}`;
}

export function extensionOf(name: string): string {
  return parts(name).extension.slice(1).toLowerCase();
}

/** A long tail after a dot is no extension. */
function parts(name: string): { stem: string; extension: string } {
  const extension = /\.[\p{L}\p{N}]{1,16}$/u.exec(name)?.[0] ?? '';
  return { stem: name.slice(0, name.length - extension.length), extension };
}

/** A loop, because a pattern would search for the end from each of a thousand spaces again. */
function withoutTail(name: string): string {
  let end = name.length;
  while (/[\s.]/u.test(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}

function shortened(text: string, bytes: number): string {
  let result = '';
  let left = bytes;
  for (const character of text) {
    left -= byteLength(character);
    if (left < 0) break;
    result += character;
  }
  return result;
}

const byteLength = (text: string): number => new TextEncoder().encode(text).byteLength;
