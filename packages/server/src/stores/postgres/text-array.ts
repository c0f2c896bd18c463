const textOid = 25;

/** Encodes texts in PostgreSQL's binary form. The text form would need a backslash before every quote of every record. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? -1 : Buffer.byteLength(text)));
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), 20);
  const bytes = Buffer.allocUnsafe(size);
  bytes.writeInt32BE(1, 0); // dimensions
  bytes.writeInt32BE(lengths.includes(-1) ? 1 : 0, 4);
  bytes.writeInt32BE(textOid, 8);
  bytes.writeInt32BE(texts.length, 12);
  bytes.writeInt32BE(1, 16); // index of the first text
  let at = 20;
  texts.forEach((text, index) => {
    const length = lengths[index] ?? -1;
    bytes.writeInt32BE(length, at);
    at += 4;
    if (text !== null) at += bytes.write(text, at);
  });
  return bytes;
}
