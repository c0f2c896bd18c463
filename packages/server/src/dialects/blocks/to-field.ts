/** A field as a form block shows it. Types that old widgets do not know are shown as the nearest they do. */
import { defined, type Field, type FieldType, isInputField, isSecretField, type Option } from '@holdpoint/protocol';

export type ShownField = { type: string } & Record<string, unknown>;

/** The value stays what it was: a confirm is a boolean, the others are typed as text. */
const nearest: Partial<Record<FieldType, string>> = {
  password: 'text',
  time: 'text',
  datetime: 'text',
  custom: 'text',
  confirm: 'checkbox',
};

export function toField(field: Field): ShownField {
  if (!isInputField(field)) return { ...field };
  const { type, required, secret: _secret, meta, ...rest } = field;
  const { display: _display, customType: _customType, options, ...words } = rest as typeof rest & Extras;
  const shown = nearest[type];
  return {
    ...words,
    type: shown ?? type,
    // Whoever confirms may say no, and a box that must be ticked could not.
    required: type === 'confirm' ? false : required === true,
    ...defaultsOf(field),
    ...defined({
      options: options?.map(toOption),
      secret: isSecretField(field) ? true : undefined,
      meta: shown || meta ? { ...meta, ...(shown ? { type } : {}) } : undefined,
    }),
  };
}

interface Extras {
  display?: unknown;
  customType?: unknown;
  options?: Option[];
}

export const toOption = ({ value, label, description }: Option) => ({
  value,
  label,
  ...defined({ description }),
});

/** What goes without saying here, and is said there. */
function defaultsOf(field: Field): Record<string, unknown> {
  switch (field.type) {
    case 'rating':
      return { maxStars: field.maxStars ?? 5, ratingIcon: field.ratingIcon ?? 'star' };
    case 'image_upload':
      return field.accept?.length ? {} : { accept: ['image/*'] };
    default:
      return {};
  }
}
