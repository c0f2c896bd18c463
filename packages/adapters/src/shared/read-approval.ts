/** An approval that was answered, with the arguments to run. */
import { type Approval, approvalOf, type Field, type FreeObject, type Outcome } from '@holdpoint/protocol';

const textTypes: readonly string[] = ['text', 'textarea', 'email', 'tel', 'url', 'password'];

/** A text that the person cleared is `''`. Without the argument, a tool that requires the text would refuse the call. */
export function readApproval(outcome: Outcome<FreeObject>): Approval {
  const read = approvalOf(outcome);
  if (!read.approved) return read;
  const { fields, arguments: proposed = {} } = outcome.interaction;
  const isCleared = (name: string) => typeof proposed[name] === 'string' && !Object.hasOwn(read.arguments, name);
  const cleared = fields.filter(isTextField).filter(({ name }) => isCleared(name));
  const texts = Object.fromEntries(cleared.map(({ name }) => [name, '']));
  return { ...read, arguments: { ...read.arguments, ...texts } };
}

const isTextField = (field: Field): field is Extract<Field, { name: string }> => textTypes.includes(field.type);
