/** Says the same as TypeBox in the keywords that generators of clients read. */
export function withPlainKeywords<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(withPlainKeywords) as T;
  const { patternProperties, ...inner } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withPlainKeywords(value)]),
  );
  return { ...inner, ...typeOfEnum(inner), ...asRecord(patternProperties) } as T;
}

/** TypeBox leaves it out. */
function typeOfEnum(schema: Record<string, unknown>): object {
  const isOfTexts = Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string');
  return isOfTexts && schema.type === undefined ? { type: 'string' } : {};
}

/** Any name at all is what `additionalProperties` says. */
function asRecord(patterns: unknown): object {
  if (patterns === undefined) return {};
  const { '^.*$': value, ...others } = patterns as Record<string, object | undefined>;
  if (value === undefined || Object.keys(others).length > 0) return { patternProperties: patterns };
  return { additionalProperties: Object.keys(value).length === 0 ? true : value };
}
