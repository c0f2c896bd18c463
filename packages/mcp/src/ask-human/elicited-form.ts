/** Translates a question into a form of an MCP client: flat, with plain values and without secrets. Not every question has one. */
import {
  defined,
  type FreeObject,
  type InputField,
  isInputField,
  isSecretField,
  type Option,
  pickName,
  type Question,
  visibleText,
} from '@holdpoint/protocol';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';

type Schema = ElicitRequestFormParams['requestedSchema'];
type Property = Schema['properties'][string];

/** A longer form is easier to fill in on a page. */
const most = { fields: 10, text: 4_000 };

/** The `plain` forms of 2025-06-18 have titles of options in a list of their own, no lists of values, and defaults only for checkboxes. */
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
 * Reads the values of a form. An empty line is null, which removes an argument of an approval. In a plain form an empty line
 * is the proposed value, as its description says.
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

/** Reports whether the description must state the proposed value, because no default can show it. */
const isWordedProposal = (field: InputField, value: unknown): boolean =>
  value !== undefined && field.type !== 'checkbox' && field.type !== 'confirm';

/** The texts of the question that are not fields. */
function messageOf({ title, body, arguments: args, fields }: Question): string {
  const shown = fields.flatMap((field) => ('text' in field ? [field.text] : []));
  const parts = [title, body ?? '', args ? JSON.stringify(args, null, 2) : '', ...shown].filter(Boolean);
  return visibleText(parts.join('\n\n'));
}

/** The initial value of a field. Nobody may propose the decision of an approval. */
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
      return { type: field.integer ? 'integer' : 'number', ...defined({ minimum: field.min, maximum: field.max }) };
    case 'rating':
      return { type: 'integer', minimum: 1, maximum: field.maxStars ?? 5 };
    case 'checkbox':
    case 'confirm':
      return { type: 'boolean' };
    case 'select':
    case 'radio':
      return { type: 'string', oneOf: field.options.map(titled) };
    case 'multi_select':
      return {
        type: 'array',
        items: { anyOf: field.options.map(titled) },
        ...defined({ minItems: field.minSelections, maxItems: field.maxSelections }),
      };
    default:
      return undefined;
  }
}

const titled = (option: Option) => ({ const: option.value, title: titleOf(option) });

const titleOf = ({ label, description }: Option): string =>
  visibleText(description ? `${label} (${description})` : label);

const lengths = ({ minLength, maxLength }: { minLength?: number; maxLength?: number }) =>
  defined({ minLength, maxLength });
