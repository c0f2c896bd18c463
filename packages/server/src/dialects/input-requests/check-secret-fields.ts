import type { CreateInputRequest } from '@holdpoint/mcp';
import type { Problem } from '@holdpoint/protocol';
import { isGiven } from './to-field.ts';

/** Every way in which a value may be written into a field. */
const proposals = ['default', 'defaultValue', 'value'];

/** A field is kept as it was sent, so that also what we would not read of it must be no secret. */
export function checkSecretFields({ fields }: CreateInputRequest): Problem[] {
  return fields.flatMap((field, index) => {
    const problem = (name: string, code: string, message: string) => ({
      pointer: `/spelling/sent/fields/${index}/${name}`,
      code,
      message,
    });
    const { secret = false, type } = field;
    if (typeof secret !== 'boolean') return [problem('secret', 'type', 'This must be a boolean.')];
    if (!secret && type !== 'password') return [];
    return proposals
      .filter((name) => isGiven(field[name]))
      .map((name) => problem(name, 'secret-default', 'A secret field may not have a default.'));
  });
}
