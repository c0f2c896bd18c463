/** Fields by which a person may change the arguments of an action; what no field can hold is only shown. */
import { confirm, type FieldSpec, type FreeObject, number, pickName, text, textarea } from '@holdpoint/protocol';

type Specs = Record<string, FieldSpec<unknown, boolean>>;

export function editableArguments(args: FreeObject): Specs {
  const specs: Specs = {};
  for (const [name, value] of Object.entries(args)) {
    const spec = name === '' || name === pickName.approval ? undefined : fieldFor(value);
    if (spec) specs[name] = spec;
  }
  return specs;
}

function fieldFor(value: unknown): FieldSpec<unknown, boolean> | undefined {
  if (typeof value === 'number') return number({ required: false });
  if (typeof value === 'boolean') return confirm({ required: false });
  if (typeof value !== 'string') return undefined;
  return value.includes('\n') || value.length > 80 ? textarea({ required: false }) : text({ required: false });
}
