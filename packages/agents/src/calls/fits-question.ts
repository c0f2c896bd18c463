/** Checks that the answer to a question of the journal still fits the question that the function asks now. */
import {
  type Answer,
  type CreateInteraction,
  CreateInteractionSchema,
  checkQuestion,
  type Field,
  fieldsToJsonSchema,
  type InputField,
  type Interaction,
  isInputField,
  jsonEqual,
  type Question,
  sentenceOf,
  validatePayload,
} from '@holdpoint/protocol';
import { checked } from '../engine/as-json.ts';
import { JournalMismatch } from '../engine/mismatch.ts';

/**
 * Throws if the answer does not fit. The kind must be the same, because an answered form read as an approval would
 * approve. By giving a name, the author says that it is the same question, so its fields may change freely.
 */
export function checkFits(call: number, asked: Interaction, question: unknown, isNamed: boolean): void {
  const mismatch = (was: string, is: string) =>
    new JournalMismatch(call, `Call ${call} is ${was} in the journal, but the function now ${is}.`);
  const read = readQuestion(question);
  if ('fault' in read) throw mismatch('a question', `asks something else there: ${read.fault.replace(/\.$/, '')}`);
  const { kind, fields, payloadSchema } = read;
  if (kind !== asked.kind) throw mismatch(`a question of kind ${asked.kind}`, `asks a question of kind ${kind} there`);
  if (isNamed) return;
  if (kind === 'approval' && !isSameAction(asked, read))
    throw mismatch(`an approval of "${asked.title}"`, `asks to approve "${read.title}" there, or other arguments`);
  if (payloadSchema && !asked.payloadSchema) throw mismatch('a question with fields', 'asks for a payload there');
  const { answer } = asked;
  if (payloadSchema && answer?.payload !== undefined && validatePayload(payloadSchema, answer.payload).length > 0)
    throw mismatch('a question with another payloadSchema', 'asks for a payload that its answer does not fit');
  const before = typesOf(asked.fields);
  const now = typesOf(fields);
  for (const field of fields.filter(isInputField)) {
    const { name } = field;
    const type = before.get(name);
    if (type === undefined && isDemanded(field))
      throw mismatch(`a question without the field "${name}"`, 'requires it there');
    if (type !== undefined && type !== now.get(name))
      throw mismatch(`a question whose field "${name}" takes a ${type}`, `asks for a ${now.get(name)} there`);
    const wasDemanded = asked.fields.some((old) => isInputField(old) && old.name === name && isDemanded(old));
    if (answer?.decision === 'accepted' && isDemanded(field) && !wasDemanded && !hasValue(answer, name))
      throw mismatch(`a question whose field "${name}" was left empty`, 'requires it there');
  }
}

/**
 * A person approves an action, not a position. Otherwise an approval that is inserted before another would take its answer.
 * The arguments are the action; without arguments, the title is.
 */
const isSameAction = (asked: Interaction, now: Question): boolean =>
  asked.arguments || now.arguments ? jsonEqual(asked.arguments, now.arguments) : asked.title === now.title;

/** Reports whether every accepted answer has a value of the field. */
const isDemanded = ({ required, visibleIf }: InputField): boolean => required === true && !visibleIf;

const hasValue = ({ values, secretFields = [] }: Answer, name: string): boolean =>
  values[name] !== undefined || secretFields.includes(name);

/** Returns the question that the function asks now, or the reason why it is not a question. */
function readQuestion(question: unknown): Question | { fault: string } {
  try {
    const read = checkQuestion(checked(CreateInteractionSchema, question, 'The question') as CreateInteraction);
    return read.ok ? read.question : { fault: sentenceOf(read.problems) };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) };
  }
}

/** The JSON type of the value of each field. */
function typesOf(fields: readonly Field[]): Map<string, string> {
  const { properties } = fieldsToJsonSchema(fields) as { properties: Record<string, { type?: unknown }> };
  return new Map(Object.entries(properties).map(([name, { type }]) => [name, String(type)]));
}
