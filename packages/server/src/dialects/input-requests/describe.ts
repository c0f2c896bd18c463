/** What a person is shown of a question besides its fields, as one text: this dialect has no other place for it. */
import { type FreeObject, isInputField, type Question } from '@holdpoint/protocol';

export function describe(question: Question): string | undefined {
  const parts = [question.body, ...shownTexts(question), shownArguments(question)].filter((part) => part);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

/** A text that is shown only to some answers would mislead. */
const shownTexts = ({ fields }: Question): string[] =>
  fields.flatMap((field) => ('text' in field && !field.visibleIf ? [field.text] : []));

/** Nobody should approve what they cannot see; an argument that has a field is seen there. */
function shownArguments({ fields, arguments: proposed = {} }: Question): string | undefined {
  const names = new Set(fields.filter(isInputField).map(({ name }) => name));
  const hidden: FreeObject = Object.fromEntries(Object.entries(proposed).filter(([name]) => !names.has(name)));
  if (Object.keys(hidden).length === 0) return undefined;
  return `\`\`\`json\n${JSON.stringify(hidden, null, 2)}\n\`\`\``;
}
