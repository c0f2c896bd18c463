/** Shows messages and questions as blocks. Block types without a rule here pass unchanged. */
import {
  type Block,
  defined,
  type Field,
  type FreeObject,
  type InputType,
  type Interaction,
  isInputField,
  isObject,
  isSecretField,
  limits,
  type Message,
  type Option,
  type Question,
} from '@holdpoint/protocol';

/** Reports whether a page may link to an address: http, https, or a path of this server. No scripts and no data. */
function isSafeUrl(url: unknown): url is string {
  if (typeof url !== 'string' || url === '') return false;
  const protocol = URL.parse(url, 'https://holdpoint.invalid')?.protocol;
  return protocol === 'https:' || protocol === 'http:';
}

type ShownField = { type: string } & FreeObject;

/**
 * The type that widgets of this dialect show. They know no others than these, and the value keeps its kind. Our own widget
 * shows the real type, if `known` in `packages/widget/src/session/asked.ts` has it.
 */
const shownTypes: Record<InputType, string> = {
  text: 'text',
  textarea: 'textarea',
  email: 'email',
  tel: 'tel',
  url: 'url',
  password: 'text',
  number: 'number',
  date: 'date',
  time: 'text',
  datetime: 'text',
  checkbox: 'checkbox',
  confirm: 'checkbox',
  select: 'select',
  radio: 'radio',
  multi_select: 'multi_select',
  rating: 'rating',
  file_upload: 'file_upload',
  image_upload: 'image_upload',
  signature: 'signature',
  custom: 'text',
};

export function toField(field: Field): ShownField {
  if (!isInputField(field)) return { ...field };
  const { type, required, secret: _secret, meta, ...rest } = field;
  type Any = typeof rest & { display?: unknown; customType?: unknown; options?: Option[] };
  const { display: _display, customType: _customType, options, ...words } = rest as Any;
  const shown = shownTypes[type];
  const isOther = shown !== type;
  return {
    ...words,
    type: shown,
    // A confirm may be answered with no, but a required checkbox could not.
    required: type === 'confirm' ? false : required === true,
    ...defaultsOf(field),
    ...defined({
      options: options?.map(toOption),
      secret: isSecretField(field) ? true : undefined,
      meta: isOther || meta ? { ...meta, ...(isOther ? { type } : {}) } : undefined,
    }),
  };
}

const toOption = ({ value, label, description }: Option) => defined({ value, label, description });

/** Defaults that the dialect states explicitly. */
function defaultsOf(field: Field): FreeObject {
  if (field.type === 'rating') return { maxStars: field.maxStars ?? 5, ratingIcon: field.ratingIcon ?? 'star' };
  return field.type === 'image_upload' && !field.accept?.length ? { accept: ['image/*'] } : {};
}

export interface ShownBlock {
  /** Stable, so that pollers can recognize new blocks. */
  id: string;
  type: string;
  payload: FreeObject;
  meta?: FreeObject;
}

/** The roles whose messages are shown. Messages of tools are for the agent. */
const shownRoles = ['user', 'agent', 'system'] as const;
type ShownRole = (typeof shownRoles)[number];
export const isShownRole = (role: string): role is ShownRole => (shownRoles as readonly string[]).includes(role);

export const blocksOfMessage = ({ id, blocks }: Message, role: ShownRole = 'agent'): ShownBlock[] =>
  toBlocks(blocks, id, role);

/** Ids come from the position of a block, so duplicate ids of an author lose no block. */
export function toBlocks(blocks: readonly Block[], of: string, role: ShownRole = 'agent'): ShownBlock[] {
  return blocks.flatMap(({ type, payload, meta }, index) => {
    const shown = payloadOf(type, payload, role);
    return shown ? [{ id: `${of}:${index}`, type, payload: shown, ...defined({ meta }) }] : [];
  });
}

/** Returns undefined if nothing can be shown safely. */
function payloadOf(type: string, payload: FreeObject, role: ShownRole): FreeObject | undefined {
  switch (type) {
    case 'message':
      return messagePayload(payload, role);
    case 'link':
      return isSafeUrl(payload.url) ? { ...payload, label: textOr(payload.label, payload.url) } : undefined;
    case 'image':
      return isSafeUrl(payload.url) ? { ...payload, alt: textOr(payload.alt, '') } : undefined;
    case 'card':
      return cardPayload(payload);
    default:
      return payload;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const textOr = (value: unknown, instead: string): string => (isText(value) ? value : instead);

function messagePayload({ text, format, ...rest }: FreeObject, role: ShownRole): FreeObject | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  return { ...rest, role, text, format: format === 'markdown' ? 'markdown' : 'plain' };
}

/** Leaves out a card without content. */
function cardPayload({ title, text, image, actions, ...rest }: FreeObject): FreeObject | undefined {
  const url = isObject(image) ? image.url : image;
  const usable = (Array.isArray(actions) ? actions : []).filter(isUsable).map((action) => {
    // A button needs a label.
    return { ...action, label: textOr(action.label, String(action.url ?? action.value)) };
  });
  if (!isText(title) && !isText(text) && !isSafeUrl(url) && usable.length === 0) return undefined;
  return defined({
    ...rest,
    title: isText(title) ? title : undefined,
    text: isText(text) ? text : undefined,
    image: isSafeUrl(url) ? image : undefined,
    actions: usable,
  });
}

const isUsable = (action: unknown): action is FreeObject =>
  isObject(action) &&
  (action.url === undefined || isSafeUrl(action.url)) &&
  !(action.url === undefined && action.value === undefined);

/** The values of the actions of a card that feed back into the conversation. */
const actionValues = ({ type, payload }: Pick<Block, 'type' | 'payload'>): unknown[] =>
  type !== 'card' || !Array.isArray(payload.actions)
    ? []
    : payload.actions.flatMap((action) => (isObject(action) && action.value !== undefined ? [action.value] : []));

export function questionBlocks(question: Question & Pick<Interaction, 'id'>): ShownBlock[] {
  const { id, body, content = [] } = question;
  const payload = { role: 'agent', text: body, format: 'markdown' };
  const said: ShownBlock[] = body ? [{ id: `${id}:body`, type: 'message', payload }] : [];
  const blocks = toBlocks(content, id);
  const card = blocks.find((block) => answersByCard(question, block));
  if (card) return [...said, ...blocks.filter((block) => block !== card), { ...card, id }];
  // A choice with texts is shown as a form, which can show them.
  const isChoice = question.kind === 'choice' && question.fields.length === 1;
  return [...said, ...blocks, isChoice ? choiceBlock(id, question) : formBlock(id, question)];
}

/** A card replaces a choice if each option is an action of the card. */
function answersByCard({ kind, fields }: Question, block: ShownBlock): boolean {
  const [field] = fields;
  if (kind !== 'choice' || fields.length !== 1 || !field || !('options' in field) || field.type === 'multi_select')
    return false;
  const values = actionValues(block);
  return values.length > 0 && field.options.every(({ value }) => values.includes(value));
}

function choiceBlock(id: string, { title, fields }: Question): ShownBlock {
  const field = fields.find((each) => 'options' in each);
  if (!field || !('options' in field)) throw new Error('a choice has no options');
  const { name, options } = field;
  const multiple = field.type === 'multi_select' || undefined;
  return { id, type: 'choice', payload: defined({ name, title, options: options.map(toOption), multiple }) };
}

function formBlock(id: string, question: Question): ShownBlock {
  const { title, fields, submitLabel = 'Submit' } = question;
  const shown = [...proposed(question), ...fields.map(toField)];
  return { id, type: 'form', payload: { title, fields: shown, submit_label: submitLabel } };
}

/** Shows the arguments of an approval that no field shows. */
function proposed({ arguments: proposal = {}, fields }: Question): ShownField[] {
  const shown = new Set(fields.filter(isInputField).map(({ name }) => name));
  const lines = Object.entries(proposal)
    .filter(([name]) => !shown.has(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return lines.length === 0 ? [] : [{ type: 'paragraph', text: lines.join('\n').slice(0, limits.bodyLength) }];
}
