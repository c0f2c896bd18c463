/** A2A messages: writes a question into one, and reads the answers of one. */
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
  type SubmitAnswer,
} from '@holdpoint/protocol';
import { contentOf } from '../shared/outcomes.ts';

/** The numbers of the SDK's enums. Importing the enums would load the SDK. */
export const state = { submitted: 1, working: 2, completed: 3, canceled: 5, inputRequired: 6 } as const;
const role = { user: 1, agent: 2 } as const;

export const textPart = (value: string): Part => part({ $case: 'text', value }, 'text/plain');
export const dataPart = (value: unknown, metadata?: FreeObject): Part =>
  part({ $case: 'data', value }, 'application/json', metadata);

const part = (content: NonNullable<Part['content']>, mediaType: string, metadata?: FreeObject): Part => ({
  content,
  metadata,
  filename: '',
  mediaType,
});

export type Ids = Pick<Message, 'taskId' | 'contextId'>;

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

/** A text part for people; and a data part for agents: the question, the schema of its answer, and its id for the answer. */
export function questionParts(interaction: Interaction): Part[] {
  const { id: interactionId, title, body, fields, payloadSchema, deadline } = interaction;
  const options = pickField(interaction)?.options.map(({ label, value }) => `${label} (${value})`);
  const words = [title, body, options?.join(', ')].filter((each) => each !== undefined && each !== '');
  const schema = payloadSchema ?? fieldsToJsonSchema(fields);
  const question = { ...contentOf(interaction), schema, ...defined({ expiresAt: deadline?.at }) };
  return [textPart(words.join('\n\n')), dataPart(question, { interactionId })];
}

export const problemParts = (sentence: string, problems: readonly Problem[] = []): Part[] => [
  textPart([sentence, ...problems.map(({ pointer, message }) => `${pointer}: ${message}`)].join('\n')),
  ...(problems.length > 0 ? [dataPart({ problems })] : []),
];

type SentValues = { data: unknown } | { text: string };

interface SentAnswer {
  /** The question that this answers. Without it, the only open question. */
  interactionId?: string;
  answer: SentValues | { decline: true; reason?: string };
}

export function sentAnswers({ parts }: Message): SentAnswer[] {
  return parts.flatMap(({ content, metadata }): SentAnswer[] => {
    const id = metadata?.interactionId;
    const to = typeof id === 'string' ? { interactionId: id } : {};
    const reason = typeof metadata?.reason === 'string' ? { reason: metadata.reason } : {};
    if (metadata?.decline === true) return [{ ...to, answer: { decline: true, ...reason } }];
    if (content?.$case === 'data') return [{ ...to, answer: { data: content.value } }];
    if (content?.$case === 'text' && content.value.trim() !== '') return [{ ...to, answer: { text: content.value } }];
    return [];
  });
}

/** Reads data as values. A text answers a question with a single field: it is an option's value or label, or the value. */
export function answerOf(interaction: Interaction, sent: SentValues): SubmitAnswer {
  const { payloadSchema, fields } = interaction;
  if (payloadSchema && fields.length === 0) return { payload: 'data' in sent ? sent.data : sent.text };
  return { values: valuesOf(interaction, sent) };
}

function valuesOf(interaction: Interaction, sent: SentValues): FreeObject {
  if ('data' in sent) return isObject(sent.data) ? sent.data : {};
  const inputs = interaction.fields.filter(isInputField);
  const field = pickField(interaction) ?? (inputs.length === 1 ? inputs[0] : undefined);
  if (!field) return {};
  const text = sent.text.trim();
  const options = 'options' in field ? field.options : [];
  const words = text.toLowerCase();
  const option = options.find(({ value, label }) => [value, label].some((each) => each.trim().toLowerCase() === words));
  return { [field.name]: option?.value ?? text };
}
