/** Translates the config of a request into a question, and back. */
import {
  checkShape,
  defined,
  type Field,
  type FieldType,
  type FreeObject,
  fieldSchemas,
  type Interaction,
  isInputField,
  isObject,
  isSecretField,
  type Option,
  OptionSchema,
  type PickField,
  pickField,
  type Question,
  type QuestionInput,
} from '@holdpoint/protocol';
import { type Config, configSchemas, type RequestType } from './schemas.ts';

type Asked = Pick<Question, 'kind' | 'fields'>;

const spokenText: readonly FieldType[] = ['text', 'textarea', 'email', 'tel', 'url'];

/** An input that is not plain text, such as a number, becomes a form with one field. */
export function requestType({ kind, fields }: Asked): RequestType {
  if (kind === 'choice' || kind === 'approval') return 'choice';
  return kind === 'input' && textField(fields) ? 'text_input' : 'form';
}

/** The only field of an input. */
export function textField(fields: readonly Field[]): Extract<Field, { minLength?: unknown }> | undefined {
  const [only, ...more] = fields;
  if (!only || more.length > 0 || isSecretField(only) || !spokenText.includes(only.type)) return undefined;
  return only as Extract<Field, { minLength?: unknown }>;
}

const kinds = { choice: 'choice', text_input: 'input', form: 'form' } as const;

/** `before` is the question that a new config changes. It keeps its kind and its field names. */
export function toQuestion(
  type: RequestType,
  { title, config, before }: { title: string; config: FreeObject; before?: Asked },
): QuestionInput {
  const asked = { kind: before?.kind ?? kinds[type], title: title.trim() };
  const { submitLabel } = withDefaults(type, config) as Config<'form'>;
  const labelled = submitLabel ? { ...asked, submitLabel } : asked;
  if (type === 'choice') return { ...labelled, ...choiceOf(config as Config<'choice'>, asked.kind) };
  if (type === 'text_input') {
    const known = before && textField(before.fields);
    return { ...labelled, fields: [textOf(config as Config<'text_input'>, asked.title, known)] };
  }
  const { fields, payloadSchema } = config as Config<'form'>;
  return { ...labelled, fields: fields.map(toField), ...defined({ payloadSchema }) };
}

function choiceOf({ options, minSelections, maxSelections, fields = [] }: Config<'choice'>, kind: Question['kind']) {
  const picked = {
    options: options.map(({ id, label, ...more }) => ({ ...only(OptionSchema.properties, more), value: id, label })),
    ...defined({ fields: fields.length > 0 ? fields.map(toField) : undefined }),
  };
  if (kind === 'approval') return picked;
  // A maximum above the number of options is invalid in a native field, and means nothing.
  const max = Math.min(maxSelections ?? 1, Math.max(options.length, 1));
  return { ...picked, minSelections: minSelections ?? 0, maxSelections: max };
}

function textOf({ placeholder, validation }: Config<'text_input'>, label: string, known?: Field): FreeObject {
  const { minLength, maxLength, pattern } = validation ?? {};
  const { name, type } = (known as { name: string; type: string } | undefined) ?? { name: 'text', type: 'text' };
  return { name, type, label, required: true, ...given({ placeholder, minLength, maxLength, pattern }) };
}

/** A field without the properties that Opengram ignores for its type. They stay in the original. */
function toField(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
  const { type, label } = sent as { type?: unknown; label?: unknown };
  const name = type === 'multiselect' ? 'multi_select' : type;
  if (typeof name !== 'string' || !Object.hasOwn(fieldSchemas, name)) return sent;
  // Options in a field without options are a mistake in Opengram, too.
  const { label: _label, ...field } = only({ ...fieldSchemas[name as FieldType].properties, options: true }, sent);
  return label === undefined || label === '' ? field : { ...field, label };
}

const defaultSubmitLabel = 'Submit';

/** Adds the defaults of Opengram. */
function withDefaults(type: RequestType, config: FreeObject): FreeObject {
  const { minSelections, maxSelections, submitLabel } = config;
  if (type === 'choice') return { ...config, minSelections: minSelections ?? 0, maxSelections: maxSelections ?? 1 };
  return type === 'form' ? { ...config, submitLabel: submitLabel || defaultSubmitLabel } : config;
}

/** The config as it was sent, or derived if the question was asked elsewhere. */
export function toConfig(interaction: Interaction): FreeObject {
  const { original, fields, submitLabel, payloadSchema } = interaction;
  const type = requestType(interaction);
  const sent = original?.dialect === 'chat-requests' ? original.sent.config : undefined;
  // Native callers may write an original too. One that is not a config of this type is ignored.
  if (isObject(sent) && checkShape(configSchemas[type], sent).length === 0) return withDefaults(type, sent);
  const label = given({ submitLabel });
  switch (type) {
    case 'choice':
      return { ...choiceConfig(interaction), ...label };
    case 'text_input':
      return { ...textConfig(textField(fields)), ...label };
    case 'form':
      return withDefaults(type, { fields: fields.map(toFormField), ...label, ...given({ payloadSchema }) });
  }
}

function choiceConfig(interaction: Interaction): FreeObject {
  const pick = pickField(interaction);
  const others = interaction.fields.filter((field) => field !== pick);
  return {
    options: (pick?.options ?? []).map(({ value, label, ...more }) => ({ id: value, label, ...more })),
    ...selections(pick),
    // The arguments of an approval, and display fields.
    ...defined({ fields: others.length > 0 ? others.map(toFormField) : undefined }),
  };
}

function selections(pick: PickField | undefined): FreeObject {
  const least = pick?.required ? 1 : 0;
  if (pick?.type !== 'multi_select') return { minSelections: least, maxSelections: 1 };
  const { minSelections = 0, maxSelections, options } = pick;
  return {
    // An optional field accepts no selection, whatever its minimum.
    minSelections: pick.required ? Math.max(minSelections, least) : 0,
    maxSelections: maxSelections ?? options.length,
  };
}

function textConfig(field: ReturnType<typeof textField>): FreeObject {
  const { placeholder, minLength, maxLength, pattern } = field ?? {};
  const validation = given({ minLength, maxLength, pattern });
  return given({ placeholder, validation: Object.keys(validation).length > 0 ? validation : undefined });
}

function toFormField(field: Field): FreeObject {
  if (!isInputField(field) || !('options' in field)) return { ...field };
  const options = field.options.every(isPlain) ? field.options.map(({ value }) => value) : field.options;
  return { ...field, ...defined({ type: field.type === 'multi_select' ? 'multiselect' : undefined }), options };
}

const isPlain = ({ value, label, ...more }: Option) => value === label && Object.keys(more).length === 0;

const only = (known: object, sent: object): FreeObject =>
  Object.fromEntries(Object.entries(sent).filter(([key]) => Object.hasOwn(known, key)));

/** Leaves out null values. */
const given = (parts: FreeObject): FreeObject =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== null));
