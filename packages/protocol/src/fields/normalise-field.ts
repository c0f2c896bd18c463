/** The few spellings taken as the same: multiselect, options as strings, accept as one string. */

export function normaliseField(input: Record<string, unknown>): Record<string, unknown> {
  const field = { ...input };
  if (field.type === 'multiselect') field.type = 'multi_select';
  if (Array.isArray(field.options)) {
    field.options = field.options.map((option) =>
      typeof option === 'string' ? { value: option, label: option } : option,
    );
  }
  if (typeof field.accept === 'string') {
    field.accept = field.accept
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '');
  }
  return field;
}
