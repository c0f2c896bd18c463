/** Reads the first bytes of a file: the size of an image, and whether it is text that a browser would run. Decodes nothing. */

type ImageSize = { width: number; height: number };

export function imageSize(mime: string, head: Uint8Array): ImageSize | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  try {
    const size = readers[mime]?.(view);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch {
    // The file ends before its size: reading past the end of a view throws a RangeError.
    return undefined;
  }
}

const readers: Record<string, (view: DataView) => ImageSize | undefined> = {
  'image/png': (view) => ({ width: view.getUint32(16), height: view.getUint32(20) }),
  'image/gif': (view) => ({ width: view.getUint16(6, true), height: view.getUint16(8, true) }),
  'image/jpeg': jpegSize,
  'image/webp': webpSize,
};

/** Segments follow each other, each with its length. A segment that begins a frame has the size. */
function jpegSize(view: DataView): ImageSize | undefined {
  for (let at = 2; ; ) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    const isFill = marker === 0xff;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    // The image itself begins, and the size would have come before it.
    if (marker === 0xda) return undefined;
    at += isFill ? 1 : 2 + view.getUint16(at + 2);
  }
}

function webpSize(view: DataView): ImageSize | undefined {
  const u24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
  switch (view.getUint8(15)) {
    case 0x58: // VP8X
      return { width: u24(24) + 1, height: u24(27) + 1 };
    case 0x4c: {
      // VP8L: fourteen bits each
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 0x20: // VP8
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
    default:
      return undefined;
  }
}

export type TextKind = 'html' | 'svg' | 'xml' | 'plain';

const htmlStart =
  /^<(!doctype\s+html|html|head|body|script|style|iframe|title|meta|link|base|img|object|embed|form)[\s/>]/i;

export function textKind(head: Uint8Array): TextKind | undefined {
  const text = asText(head);
  if (text === undefined) return undefined;
  const start = withoutPreface(text);
  if (htmlStart.test(start)) return 'html';
  if (/^<(\w+:)?svg[\s/>]/i.test(start) || /^<!doctype\s+svg/i.test(start)) return 'svg';
  return /^\s*<\?xml\s/.test(text) ? 'xml' : 'plain';
}

/** As in the MIME sniffing standard: a file is text if it has no byte that occurs in no text. */
function asText(head: Uint8Array): string | undefined {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    return new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(head.subarray(0, head.length & ~1));
  for (const byte of head) if (byte < 0x20 && isBinary(byte)) return undefined;
  return new TextDecoder().decode(head);
}

const isBinary = (byte: number): boolean =>
  byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || byte >= 0x1c;

/**
 * Removes white space, a declaration, comments and entities before the first element. None of these patterns has two
 * repetitions that could share the same text: with such a pattern, 128 KB of spaces took half a minute.
 */
function withoutPreface(text: string): string {
  let rest = text;
  for (;;) {
    const next = rest
      .replace(/^[\s\ufeff]+/, '')
      .replace(/^<\?[^>]*>/, '')
      .replace(/^<!--[\s\S]*?-->/, '')
      .replace(/^<!doctype\s(?!\s*(?:html|svg))[^>]*>/i, '');
    if (next.length === rest.length) return rest;
    rest = next;
  }
}
