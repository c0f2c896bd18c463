/** JSON as RFC 8785 writes it: keys in the order of their UTF-16 code units and no spaces, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item) ?? 'null').join()}]`;
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const text = canonicalJson((value as Record<string, unknown>)[key]);
    // As in any JSON, what is undefined is not there.
    if (text !== undefined) members += `${members && ','}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}
