/** A field of a question that was asked in another way, as this dialect would have written it. */

import type { FreeObject, InputField } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { scalarOf } from './scalar.ts';

export function fromField(field: InputField): FreeObject {
  const { default: proposed, customType = 'text', ...shown } = field as FreeObject;
  return {
    ...shown,
    type: field.type === 'custom' ? customType : field.type,
    ...defined({ defaultValue: proposed === undefined ? undefined : scalarOf(proposed) }),
  };
}
