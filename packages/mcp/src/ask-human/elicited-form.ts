/** A question as a form that an MCP client can show, as far as there is one: flat, of plain values, and nothing secret. */
import {
  defined,
  type Field,
  type FreeObject,
  type InputField,
  isInputField,
  isSecretField,
  pickName,
  type Question,
  visibleText,
} from '@holdpoint/protocol';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';

type Schema = ElicitRequestFormParams['requestedSchema'];
type Property = Schema['properties'][string];

/** A longer form is easier to fill in on a page. */
const most = { fields: 10, text: 4_000 };

/** 2025-06-18 has `plain` forms: no titles of options but beside them, no lists, and only a checkbox has a default. */
export type FormDialect = 'titled' | 'plain';

export interface ElicitedForm {
  message: string;
  requestedSchema: Schema;
}

export function elicitedForm(question: Question, dialect: FormDialect = 'titled'): ElicitedForm | undefined {
  const { payloadSchema, content, fields } = question;
  if (payloadSchema || content?.length || fields.some(({ visibleIf }) => visibleIf)) return undefined;
  const inputs = fields.filter(isInputField);
  const message = messageOf(question);
  if (inputs.length > most.fields || message.length > most.text) return undefined;
  const toProperty = dialect === 'plain' ? toPlainProperty : toTitledProperty;
  const shown = inputs.map((field) => [field.name, toProperty(field, proposed(question, field))] as const);
  if (!shown.every(isShowable)) return undefined;
  const properties = Object.fromEntries(shown);
  const isNeeded = (field: InputField) =>
    field.required && !(dialect === 'plain' && isWordedProposal(field, proposed(question, field)));
  const required = inputs.filter(isNeeded).map(({ name }) => name);
  return {
    message,
    requestedSchema: {
      type: 'object',
      properties,
      ...defined({ required: required.length > 0 ? required : undefined }),
    },
  };
}

const isShowable = (shown: readonly [string, Property | undefined]): shown is [string, Property] =>
  shown[1] !== undefined;

/**
 * What was filled in. A line that was left empty is null: in an approval, an argument that was taken away. In a plain form
 * it is what was proposed, as its description says.
 */
export function elicitedValues(content: FreeObject, plain?: Question): FreeObject {
  const filled = Object.entries(content).map(([name, value]) => [name, value === '' ? null : value] as const);
  const values: FreeObject = Object.fromEntries(filled);
  for (const field of plain?.fields.filter(isInputField) ?? []) {
    const value = plain && proposed(plain, field);
    if (isWordedProposal(field, value)) values[field.name] ??= value;
  }
  return values;
}

/** No default can show it, so the description says what stands if the line is left empty. */
const isWordedProposal = (field: InputField, value: unknown): boolean =>
  value !== undefined && field.type !== 'checkbox' && field.type !== 'confirm';

/** All that the person would be shown besides the fields. */
function messageOf({ title, body, arguments: args, fields }: Question): string {
  const shown = fields.flatMap((field) => ('text' in field ? [field.text] : []));
  const parts = [title, body ?? '', args ? JSON.stringify(args, null, 2) : '', ...shown].filter(Boolean);
  return visibleText(parts.join('\n\n'));
}

/** What stands in the field at first. The decision of an approval is nobody's to propose. */
function proposed({ kind, recommendations }: Question, field: InputField): unknown {
  if (kind === 'approval' && field.name === pickName.approval) return undefined;
  return ('default' in field ? field.default : undefined) ?? recommendations?.[field.name];
}

function toTitledProperty(field: InputField, value: unknown): Property | undefined {
  if (isSecretField(field)) return undefined;
  const kind = propertyOf(field);
  if (!kind) return undefined;
  const { label, description } = field;
  return {
    ...kind,
    title: visibleText(label ?? field.name),
    ...defined({ description: description ? visibleText(description) : undefined, default: value }),
  } as Property;
}

function toPlainProperty(field: InputField, value: unknown): Property | undefined {
  if (field.type === 'multi_select') return undefined;
  const isWorded = isWordedProposal(field, value);
  const titled = toTitledProperty(field, isWorded ? undefined : value);
  if (!titled) return undefined;
  const options = 'options' in field ? field.options : undefined;
  const said = options?.find((option) => option.value === value)?.label ?? String(value);
  const { description = '' } = field;
  const words = [description, isWorded ? `Leave this empty for: ${said}` : ''].filter(Boolean).join(' ');
  const { oneOf: _titles, ...kind } = titled as Property & { oneOf?: unknown };
  return {
    ...kind,
    ...(options ? { enum: options.map((option) => option.value), enumNames: options.map(titleOf) } : {}),
    ...defined({ description: words ? visibleText(words) : undefined }),
  } as Property;
}

function propertyOf(field: InputField): object | undefined {
  switch (field.type) {
    case 'text':
    case 'tel':
      return { type: 'string', ...lengths(field) };
    case 'email':
      return { type: 'string', format: 'email', ...lengths(field) };
    case 'url':
      return { type: 'string', format: 'uri', ...lengths(field) };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'datetime':
      return { type: 'string', format: 'date-time' };
    case 'number':
      return { type: field.integer ? 'integer' : 'number', ...bounds(field.min, field.max) };
    case 'rating':
      return { type: 'integer', ...bounds(1, field.maxStars ?? 5) };
    case 'checkbox':
    case 'confirm':
      return { type: 'boolean' };
    case 'select':
    case 'radio':
      return { type: 'string', oneOf: field.options.map(titled) };
    case 'multi_select':
      return { type: 'array', items: { anyOf: field.options.map(titled) }, ...counts(field) };
    default:
      return undefined;
  }
}

type Option = Extract<Field, { options: unknown }>['options'][number];

const titled = (option: Option) => ({ const: option.value, title: titleOf(option) });

const titleOf = ({ label, description }: Option): string =>
  visibleText(description ? `${label} (${description})` : label);

const lengths = ({ minLength, maxLength }: { minLength?: number; maxLength?: number }) => ({
  ...defined({ minLength, maxLength }),
});

const bounds = (minimum?: number, maximum?: number) => ({
  ...defined({ minimum, maximum }),
});

const counts = ({ minSelections, maxSelections }: { minSelections?: number; maxSelections?: number }) => ({
  ...defined({ minItems: minSelections, maxItems: maxSelections }),
});
