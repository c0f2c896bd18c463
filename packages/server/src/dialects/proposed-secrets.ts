/** Rules about fields that several dialects share. */
import { type FreeObject, isInputField, isObject, type Problem, pointer, type Question } from '@holdpoint/protocol';

/** Property names that may hold a proposed value, including names that we do not read. */
const proposals = ['default', 'defaultValue', 'value'];

export function proposedSecrets(fields: unknown, at: string): Problem[] {
  return (Array.isArray(fields) ? fields : []).flatMap((field: unknown, index) =>
    isObject(field) ? inField(field, pointer(at, index)) : [],
  );
}

function inField(field: FreeObject, at: string): Problem[] {
  const { type, secret = false } = field;
  if (typeof secret !== 'boolean')
    return [{ pointer: pointer(at, 'secret'), code: 'type', message: 'This must be a boolean.' }];
  if (!secret && type !== 'password') return [];
  const message = 'A secret field takes no value beforehand: what is sent is shown as it is.';
  return proposals
    .filter((name) => (field[name] ?? '') !== '')
    .map((name) => ({ pointer: pointer(at, name), code: 'secret-default', message }));
}

/** The name of the payload among the values, if the question has a payloadSchema. */
export function payloadName({ fields, payloadSchema }: Question): string | undefined {
  if (!payloadSchema) return undefined;
  const names = new Set(fields.filter(isInputField).map(({ name }) => name));
  let name = 'payload';
  while (names.has(name)) name += '_';
  return name;
}
