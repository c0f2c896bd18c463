import { isInputField, type Question } from '@holdpoint/protocol';

/** Where a question asks by a schema of its own, its payload goes by this name among the values. */
export function payloadName({ fields, payloadSchema }: Question): string | undefined {
  if (!payloadSchema) return undefined;
  const names = new Set(fields.filter(isInputField).map(({ name }) => name));
  let name = 'payload';
  while (names.has(name)) name += '_';
  return name;
}
