/** Messages of A2A: how a question is written in one, and how what somebody sent is read as an answer. */
import type { Message, Part } from '@a2a-js/sdk';
import {
  defined,
  type FreeObject,
  fieldsToJsonSchema,
  type Interaction,
  isInputField,
  isObject,
  type Problem,
  pickField,
} from '@holdpoint/protocol';
import { shownOf } from '../shared/shown.ts';

/** The numbers of the SDK's enums, which would have to be loaded for them. */
export const state = { submitted: 1, working: 2, completed: 3, canceled: 5, inputRequired: 6 } as const;
export const role = { user: 1, agent: 2 } as const;

export const textPart = (value: string): Part => part({ $case: 'text', value }, 'text/plain');
export const dataPart = (value: unknown, metadata?: FreeObject): Part =>
  part({ $case: 'data', value }, 'application/json', metadata);

const part = (content: NonNullable<Part['content']>, mediaType: string, metadata?: FreeObject): Part => ({
  content,
  metadata,
  filename: '',
  mediaType,
});

type Ids = Pick<Message, 'taskId' | 'contextId'>;

export const messageOf = (by: keyof typeof role, { taskId, contextId }: Ids, parts: Part[]): Message => ({
  messageId: crypto.randomUUID(),
  taskId,
  contextId,
  role: role[by],
  parts,
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

/** For people a text, for agents what is asked and the schema of an answer, under the id that an answer names. */
export function questionParts(interaction: Interaction): Part[] {
  const { id: interactionId, title, body, fields, payloadSchema, deadline } = interaction;
  const options = pickField(interaction)?.options.map(({ label, value }) => `${label} (${value})`);
  const words = [title, body, options?.join(', ')].filter((each) => each !== undefined && each !== '');
  const schema = payloadSchema ?? fieldsToJsonSchema(fields);
  const question = { ...shownOf(interaction), schema, ...defined({ expiresAt: deadline?.at }) };
  return [textPart(words.join('\n\n')), dataPart(question, { interactionId })];
}

export const problemParts = (sentence: string, problems: readonly Problem[] = []): Part[] => [
  textPart([sentence, ...problems.map(({ pointer, message }) => `${pointer}: ${message}`)].join('\n')),
  ...(problems.length > 0 ? [dataPart({ problems })] : []),
];

export interface SentAnswer {
  /** Which question it is for; without it, the only one. */
  interactionId?: string;
  answer: { data: unknown } | { text: string } | { decline: true; reason?: string };
}

export function sentAnswers({ parts }: Message): SentAnswer[] {
  return parts.flatMap(({ content, metadata }): SentAnswer[] => {
    const id = metadata?.interactionId;
    const which = typeof id === 'string' ? { interactionId: id } : {};
    const reason = typeof metadata?.reason === 'string' ? { reason: metadata.reason } : {};
    if (metadata?.decline === true) return [{ ...which, answer: { decline: true, ...reason } }];
    if (content?.$case === 'data') return [{ ...which, answer: { data: content.value } }];
    if (content?.$case === 'text' && content.value.trim() !== '')
      return [{ ...which, answer: { text: content.value } }];
    return [];
  });
}

/** Values, of a text only where a single field is asked for: the value or the label of an option, or the text itself. */
export function valuesOf(interaction: Interaction, sent: { data: unknown } | { text: string }): FreeObject {
  if ('data' in sent) return isObject(sent.data) ? sent.data : {};
  const inputs = interaction.fields.filter(isInputField);
  const field = pickField(interaction) ?? (inputs.length === 1 ? inputs[0] : undefined);
  if (!field) return {};
  const text = sent.text.trim();
  const options = 'options' in field ? field.options : [];
  const option = options.find(({ value, label }) => [value, label].some((each) => sameWords(each, text)));
  return { [field.name]: option?.value ?? text };
}

const sameWords = (one: string, other: string) => one.trim().toLowerCase() === other.toLowerCase();
