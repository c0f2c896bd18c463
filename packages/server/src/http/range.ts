/** Reads a Range header (RFC 9110): the bytes from `from` up to, and without, `to`. */

export interface ByteRange {
  from: number;
  to: number;
}

/** Undefined: all of it, also where several ranges are asked for or the header makes no sense. none: no byte is in it. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.replaceAll(' ', '') ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') return between(size - Number(last), size, size);
  if (last !== '' && Number(last) < Number(first)) return undefined;
  return between(Number(first), last === '' ? size : Number(last) + 1, size);
}

function between(from: number, to: number, size: number): ByteRange | 'none' {
  const range = { from: Math.max(from, 0), to: Math.min(to, size) };
  return range.from < range.to ? range : 'none';
}
