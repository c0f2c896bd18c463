/** The question, as the person sees it. Every question is a form: a choice and an approval are forms with one select. */
import { type Static, Type } from 'typebox';
import { BlockSchema, FreeObjectSchema } from './base-schemas.ts';
import { defined } from './defined.ts';
import { checkFields } from './fields/check-fields.ts';
import { type Field, FieldSchema } from './fields/field.ts';
import { isInputField, isSecretField } from './fields/input-field.ts';
import { asOptional } from './fields/optional-field.ts';
import { validateValues } from './fields/validate-values.ts';
import { checkJson } from './json.ts';
import { limits } from './limits.ts';
import { checkPayloadSchema } from './payload-schema.ts';
import { allowOrDeny, pickName } from './pick.ts';
import { type Problem, pointer, problem } from './problem.ts';
import { isBlankText, mustBeSeen } from './visible-text.ts';

export const KindSchema = Type.Enum(['choice', 'input', 'form', 'approval']);

const Title = Type.String({ minLength: 1, maxLength: limits.titleLength });
const Body = Type.String({ maxLength: limits.bodyLength, description: 'Markdown; raw HTML is shown as text.' });
const shared = {
  body: Type.Optional(Body),
  content: Type.Optional(Type.Array(BlockSchema, { maxItems: limits.blocks })),
  payloadSchema: Type.Optional(FreeObjectSchema),
  arguments: Type.Optional(FreeObjectSchema),
  recommendations: Type.Optional(FreeObjectSchema),
  submitLabel: Type.Optional(Type.String({ minLength: 1, maxLength: limits.labelLength })),
};

export const QuestionSchema = Type.Object({
  kind: KindSchema,
  title: Title,
  fields: Type.Array(FieldSchema),
  ...shared,
});

/** Fields and options have the type `unknown`, because `checkFields` reads them with better messages than a union gives. */
export const QuestionInputSchema = Type.Object({
  kind: Type.Optional(KindSchema),
  title: Title,
  fields: Type.Optional(
    Type.Array(Type.Unknown({ 'x-schema': 'Field' }), {
      maxItems: limits.fields,
      description: 'The fields of the question.',
    }),
  ),
  options: Type.Optional(
    Type.Array(Type.Unknown({ 'x-schema': 'Option' }), {
      minItems: 1,
      maxItems: limits.optionsPerField,
      description: 'For a choice or an approval: strings, or {value, label, description?, variant?, kind?}.',
    }),
  ),
  minSelections: Type.Optional(Type.Integer({ minimum: 0 })),
  maxSelections: Type.Optional(Type.Integer({ minimum: 1 })),
  ...shared,
});

export type Kind = Static<typeof KindSchema>;
export type Question = Static<typeof QuestionSchema>;
export type QuestionInput = Static<typeof QuestionInputSchema>;

export type CheckedQuestion = { ok: true; question: Question } | { ok: false; problems: Problem[] };

export function checkQuestion(input: QuestionInput): CheckedQuestion {
  const kind = input.kind ?? (input.options ? 'choice' : input.fields || input.payloadSchema ? 'form' : 'input');
  // Replaces a blank title: a field that takes its label from the title would report the same problem again.
  const titled = isBlankText(input.title) ? { ...input, title: 'Untitled' } : input;
  const checked = checkFields(expandFields(kind, titled));
  const fields = checked.ok ? checked.fields : [];
  const problems = [
    ...checkText(input),
    ...checkSelections(kind, input),
    ...(checked.ok ? checkKind(kind, input, fields) : checked.problems.map((p) => renamePointer(kind, input, p))),
    ...(input.payloadSchema ? checkPayloadSchema(input.payloadSchema) : []),
    ...checkFree(input),
    ...(checked.ok ? [...checkSecrets(fields, input), ...checkRecommendations(fields, input)] : []),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const { options: _options, minSelections: _min, maxSelections: _max, ...rest } = input;
  return { ok: true, question: { ...rest, kind, title: input.title.trim(), fields } };
}

/** Converts the short forms of a question (options, or no field) to fields, and prefills arguments that can be edited. */
function expandFields(kind: Kind, input: QuestionInput): unknown[] {
  const fields = (input.fields ?? []).map((field) => prefill(field, input.arguments));
  if (kind === 'input' && fields.length === 0)
    return [{ name: 'text', type: 'text', label: input.title, required: true }];
  if (kind !== 'choice' && kind !== 'approval') return fields;
  const name = pickName[kind];
  const options = input.options ?? (kind === 'approval' && !hasName(fields, name) ? [...allowOrDeny] : undefined);
  if (options) return [pickField(name, options, input), ...fields];
  return kind === 'approval' ? fields.map(demandDecision) : fields;
}

function pickField(name: string, options: unknown[], input: QuestionInput): unknown {
  const { title, minSelections: min, maxSelections: max } = input;
  const pick = { name, label: title, options, display: 'buttons' };
  if (name === pickName.approval) return { ...pick, type: 'select', required: true };
  if ((max ?? 1) <= 1 && (min ?? 1) <= 1) return { ...pick, type: 'select', required: min !== 0 };
  const bounds = { minSelections: min ?? 0, ...defined({ maxSelections: max }) };
  return { ...pick, type: 'multi_select', required: bounds.minSelections > 0, ...bounds };
}

/** An approval needs a decision, so its field is always required. */
const demandDecision = (field: unknown): unknown =>
  hasName([field], pickName.approval) ? { ...(field as object), required: true } : field;

function prefill(field: unknown, args: QuestionInput['arguments']): unknown {
  if (!args || typeof field !== 'object' || field === null) return field;
  const { name } = field as { name?: unknown };
  if (typeof name !== 'string' || 'default' in field || !Object.hasOwn(args, name)) return field;
  if (isSecretField(field as Field)) return field;
  return { ...field, default: args[name] };
}

const hasName = (fields: unknown[], name: string) =>
  fields.some((field) => (field as { name?: unknown } | null)?.name === name);

/** A problem in a field that was made of `options` points at the options that the caller sent. */
function renamePointer(kind: Kind, input: QuestionInput, problem: Problem): Problem {
  if (!input.options || (kind !== 'choice' && kind !== 'approval')) return problem;
  const match = /^\/fields\/(\d+)(.*)$/.exec(problem.pointer);
  if (!match) return problem;
  const index = Number(match[1]);
  return { ...problem, pointer: index === 0 ? match[2] || '/options' : `/fields/${index - 1}${match[2]}` };
}

const checkText = ({ title, submitLabel }: QuestionInput): Problem[] => [
  ...mustBeSeen(title, '/title', 'The title has no visible characters.'),
  ...mustBeSeen(submitLabel, '/submitLabel', 'The label of the button has no visible characters.'),
];

function checkKind(kind: Kind, input: QuestionInput, fields: Field[]): Problem[] {
  const at = (pointer: string, code: string, message: string): Problem[] => [problem(pointer, code, message)];
  const inputs = fields.filter(isInputField);
  const isPick = kind === 'choice' || kind === 'approval';
  if (input.options && !isPick)
    return at('/options', 'not-allowed', `A question of kind ${kind} takes fields, not options.`);
  if (input.payloadSchema && !isPick && fields.length > 0)
    return at('/payloadSchema', 'not-allowed', 'Give fields or a payloadSchema, but not both.');
  if (kind === 'form' && inputs.length === 0 && !input.payloadSchema)
    return at('/fields', 'required', 'A form needs at least one field that takes a value, or a payloadSchema.');
  if (kind === 'input' && inputs.length !== 1)
    return at('/fields', 'one-field', 'A question of kind input has exactly one field. Use a form for more.');
  if (kind === 'choice') {
    const [pick] = inputs;
    if (inputs.length !== 1 || !pick || !('options' in pick))
      return at('/options', 'required', 'A choice needs options, and cannot have other fields.');
    if (pick.secret) return at('/fields', 'not-allowed', 'The answer to a choice cannot be secret.');
  }
  if (kind === 'approval') {
    const index = fields.findIndex((field) => 'name' in field && field.name === pickName.approval);
    const pick = fields[index];
    if (!pick || pick.type === 'multi_select' || !('options' in pick))
      return at('/fields', 'required', 'The decision of an approval must be a select with options.');
    if (pick.visibleIf || pick.secret)
      return at(`/fields/${index}`, 'not-allowed', 'The decision of an approval must be visible and cannot be secret.');
    if (!pick.options.every((option) => option.kind !== undefined && option.kind !== 'answer'))
      return at(
        input.options ? '/options' : `/fields/${index}/options`,
        'kind',
        'Every option of an approval needs a kind: allow_once, allow_always, reject_once or reject_always.',
      );
  }
  return [];
}

function checkSelections(kind: Kind, { options, minSelections, maxSelections }: QuestionInput): Problem[] {
  if (kind === 'choice' && options) return [];
  const message = 'Only a choice with options can have minSelections and maxSelections.';
  return Object.entries({ minSelections, maxSelections }).flatMap(([name, count]) =>
    count === undefined ? [] : [problem(`/${name}`, 'not-allowed', message)],
  );
}

/** Proposed values are in the record, which may have no value of a secret field. */
function checkSecrets(fields: Field[], input: QuestionInput): Problem[] {
  const names = fields
    .filter(isInputField)
    .filter(isSecretField)
    .map(({ name }) => name);
  return (['arguments', 'recommendations'] as const).flatMap((property) =>
    names
      .filter((name) => Object.hasOwn(input[property] ?? {}, name))
      .map((name) => problem(pointer(`/${property}`, name), 'secret', `A secret field takes no ${property}.`)),
  );
}

function checkFree(input: QuestionInput): Problem[] {
  const bounds = { maxBytes: limits.jsonBytes, maxDepth: limits.jsonDepth };
  return (['content', 'arguments', 'recommendations'] as const).flatMap((name) =>
    input[name] === undefined ? [] : checkJson(input[name], bounds, `/${name}`),
  );
}

/** Recommended values must be valid, but need not be the whole answer. */
function checkRecommendations(fields: Field[], { recommendations, payloadSchema }: QuestionInput): Problem[] {
  // A question with only a payloadSchema has no fields to check them.
  if (!recommendations || (payloadSchema && fields.length === 0)) return [];
  const checked = validateValues(fields.map(asOptional), recommendations, '/recommendations');
  return checked.ok ? [] : checked.problems;
}
