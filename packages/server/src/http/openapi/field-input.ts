/** Fields and options as the server accepts them: with the short forms that it writes out when it stores them. */
import { defined, fieldSchemas, OptionSchema } from '@holdpoint/protocol';

interface FieldShape {
  type: string;
  required?: readonly string[];
  properties: Readonly<Record<string, object>>;
}

const optionInput = {
  anyOf: [{ ...OptionSchema.properties.value, description: 'Both its value and its label.' }, OptionSchema],
};

/** By the names that the schemas of the protocol have for them in `x-schema`. */
export const inputSchemas: Readonly<Record<string, object>> = {
  Option: optionInput,
  Field: { anyOf: Object.values(fieldSchemas as unknown as Record<string, FieldShape>).map(withShortForms) },
};

function withShortForms({ properties, ...shape }: FieldShape): object {
  const { type, options, accept } = properties as Record<string, { const?: string } | undefined>;
  return {
    ...shape,
    properties: {
      ...properties,
      ...defined({
        type: type?.const === 'multi_select' ? { type: 'string', enum: ['multi_select', 'multiselect'] } : undefined,
        options: options ? { ...options, items: optionInput } : undefined,
        accept: accept ? { anyOf: [{ type: 'string', description: 'Separated by commas.' }, accept] } : undefined,
      }),
    },
  };
}
