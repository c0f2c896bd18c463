/** JSON in one form. A file of its own, because pages that sign nothing do not need it. */

/**
 * JSON as RFC 8785 writes it: keys in the order of their UTF-16 code units, without spaces. Equal values have equal text.
 */
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
    // JSON has no undefined properties.
    if (text !== undefined) members += `${members && ','}${quoted(key)}:${text}`;
  }
  return `{${members}}`;
}

/** The digest writes every question, and most texts have nothing to escape: this test is faster than JSON.stringify. */
const quoted = (text: string): string => (/^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : JSON.stringify(text));
