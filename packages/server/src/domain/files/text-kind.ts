/** Whether the first bytes of a file are text, and whether it is text that a browser would run. */

export type TextKind = 'html' | 'svg' | 'xml' | 'plain';

export function textKind(head: Uint8Array): TextKind | undefined {
  const text = asText(head);
  if (text === undefined) return undefined;
  const start = withoutPreface(text);
  if (
    /^<(!doctype\s+html|html|head|body|script|style|iframe|title|meta|link|base|img|object|embed|form)[\s/>]/i.test(
      start,
    )
  )
    return 'html';
  if (/^<(\w+:)?svg[\s/>]/i.test(start) || /^<!doctype\s+svg/i.test(start)) return 'svg';
  return /^\s*<\?xml\s/.test(text) ? 'xml' : 'plain';
}

/** As the sniffing standard of the web has it: text is what has no byte that is in no text. */
function asText(head: Uint8Array): string | undefined {
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff))
    return new TextDecoder(head[0] === 0xff ? 'utf-16le' : 'utf-16be').decode(head.subarray(0, head.length & ~1));
  for (const byte of head) if (byte < 0x20 && isBinary(byte)) return undefined;
  return new TextDecoder().decode(head);
}

const isBinary = (byte: number): boolean =>
  byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) || byte >= 0x1c;

/**
 * White space, a declaration, comments and entities may stand before the first element. None of these patterns has two
 * repetitions that could share the same text: with one that had, 128 KB of spaces took half a minute.
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
