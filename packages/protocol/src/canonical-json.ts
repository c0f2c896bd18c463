/** JSON as RFC 8785 writes it: keys in the order of their UTF-16 code units and no spaces, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  let members = '';
  if (Array.isArray(value)) {
    for (const item of value) members += `${members && ','}${canonicalJson(item) ?? 'null'}`;
    return `[${members}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const text = canonicalJson((value as Record<string, unknown>)[key]);
    // As in any JSON, what is undefined is not there.
    if (text !== undefined) members += `${members && ','}${quoted(key)}:${text}`;
  }
  return `{${members}}`;
}

/** Every question is written so, and most of its texts have nothing to escape: to see that is the shorter way. */
const quoted = (text: string): string => (/^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text));
