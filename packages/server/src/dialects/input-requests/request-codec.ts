/** Translates an input request into a question, and an interaction into an input request. */
import {
  acceptedInput,
  type CreateInputRequest,
  type InputRequest,
  type InputRequestStatus,
  type InputResponse,
  type Scalar,
  type ScalarValues,
} from '@holdpoint/mcp';
import {
  type Answer,
  type CreateInteraction,
  checkFields,
  checkShape,
  defined,
  type FreeObject,
  type InputField,
  type Interaction,
  isBlankText,
  isInputField,
  isSecretField,
  jsonEqual,
  limits,
  type Question,
  validateValues,
} from '@holdpoint/protocol';
import type { TSchema } from 'typebox';
import { payloadName } from '../proposed-secrets.ts';
import { toValue } from './answer-codec.ts';
import { fromField, isScalar, scalarOf, sentValue, toField } from './field-codec.ts';

interface Original {
  fields: FreeObject[];
  recommendations?: FreeObject;
}

const { fields, recommendations } = acceptedInput('create').properties;
const OriginalSchema = {
  type: 'object',
  properties: { fields, recommendations },
  required: ['fields'],
} as unknown as TSchema;

/** Native callers may write an original too. One that is not a valid request of this dialect is ignored. */
function originalOf({ original }: Interaction): Original | undefined {
  if (original?.dialect !== 'input-requests' || checkShape(OriginalSchema, original.sent).length > 0) return undefined;
  return original.sent as unknown as Original;
}

function describe(question: Question): string | undefined {
  const parts = [question.body, ...shownTexts(question), shownArguments(question)].filter((part) => part);
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

/** Leaves out conditional texts, which would mislead if always shown. */
const shownTexts = ({ fields }: Question): string[] =>
  fields.flatMap((field) => ('text' in field && !field.visibleIf ? [field.text] : []));

/** Shows the arguments that no field shows, so that nobody approves what they cannot see. */
function shownArguments({ fields, arguments: proposed = {} }: Question): string | undefined {
  const names = new Set(fields.filter(isInputField).map(({ name }) => name));
  const hidden: FreeObject = Object.fromEntries(Object.entries(proposed).filter(([name]) => !names.has(name)));
  if (Object.keys(hidden).length === 0) return undefined;
  return `\`\`\`json\n${JSON.stringify(hidden, null, 2)}\n\`\`\``;
}

function toRecommendations(fields: readonly FreeObject[], sent: FreeObject): FreeObject {
  const checked = checkFields(fields);
  // The domain rejects invalid fields with all their problems.
  if (!checked.ok) return {};
  const entries = checked.fields.filter(isInputField).flatMap((field) => {
    const said = Object.hasOwn(sent, field.name) ? sent[field.name] : null;
    const value = said === null ? undefined : recommended(field, said);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries);
}

function recommended(field: InputField, sent: unknown): unknown {
  const candidates = isScalar(sent) ? [sent] : [(sent as { value?: unknown }).value].filter(isScalar);
  // Passed on so that the domain rejects it: the record would contain the secret.
  if (isSecretField(field)) return candidates[0] ?? '';
  const { visibleIf: _, ...rest } = field;
  const shown = rest as InputField;
  return candidates
    .filter((candidate) => candidate !== null && candidate !== undefined && candidate !== '')
    .map((candidate) => toValue(field, candidate))
    .find((value) => validateValues([shown], { [field.name]: value }).ok);
}

export function toInteraction(input: CreateInputRequest): CreateInteraction {
  const { title, description, expires_at, metadata, recommendations } = input;
  const fields = input.fields.map(toField);
  const recommended = recommendations ? toRecommendations(fields, recommendations) : {};
  return defined({
    kind: 'form',
    title,
    body: description,
    fields,
    recommendations: Object.keys(recommended).length > 0 ? recommended : undefined,
    submitLabel: submitLabelIn(metadata),
    responder: { type: input.requested_responder_type },
    deadline: expires_at === undefined ? undefined : { at: expires_at, outcome: 'expire' as const },
    run: { id: input.run_id, toolCallId: input.tool_call_id },
    metadata,
    original: { dialect: 'input-requests', sent: defined({ fields: input.fields, recommendations }) },
  });
}

function submitLabelIn(metadata: CreateInputRequest['metadata']): string | undefined {
  const label = metadata?.submitLabel;
  return typeof label === 'string' && !isBlankText(label) && label.length <= limits.labelLength ? label : undefined;
}

/** A question without a run or tool call uses its own id. */
const runIdOf = ({ id, run }: Interaction): string => run?.id ?? id;
export const toolCallIdOf = ({ id, run }: Interaction): string => run?.toolCallId ?? id;

export function toInputRequest(interaction: Interaction): InputRequest {
  const { responder, deadline, metadata, closedAt = null } = interaction;
  const sent = originalOf(interaction);
  const status = statusOf(interaction);
  const response = interaction.answer ?? interaction.votes.at(-1);
  return {
    id: interaction.id,
    conversation_id: interaction.threadId,
    run_id: runIdOf(interaction),
    tool_call_id: toolCallIdOf(interaction),
    kind: 'form',
    status,
    requested_responder_type: responder.type === 'any' ? 'human' : responder.type,
    title: interaction.title,
    description: (sent ? interaction.body : describe(interaction)) ?? null,
    fields: sent?.fields ?? fieldsOf(interaction),
    recommendations: (sent ? sent.recommendations : interaction.recommendations) ?? null,
    metadata: metadata ?? null,
    created_at: interaction.createdAt,
    expires_at: deadline?.at ?? null,
    submitted_at: status === 'submitted' ? closedAt : null,
    cancelled_at: status === 'cancelled' ? closedAt : null,
    expired_at: status === 'expired' ? closedAt : null,
    latest_response: response ? toResponse(interaction, response, sent) : null,
  };
}

/** The dialect has no decline. A decline without values is shown as cancelled; a rejecting option is a submitted value. */
export function statusOf({ status, answer }: Interaction): InputRequestStatus {
  if (status === 'pending') return 'open';
  if (status !== 'answered') return status;
  return answer?.decision === 'declined' && Object.keys(answer.values).length === 0 ? 'cancelled' : 'submitted';
}

function fieldsOf(interaction: Interaction): FreeObject[] {
  const { fields, payloadSchema: schema } = interaction;
  const name = payloadName(interaction);
  const payload = name === undefined ? [] : [{ name, type: 'json', required: true, schema }];
  return [...fields.filter(isInputField).map(fromField), ...payload];
}

function toResponse(interaction: Interaction, response: Answer, sent: Original | undefined): InputResponse {
  const { id, by, at, values, payload } = response;
  const payloadAt = payloadName(interaction);
  return {
    id,
    input_request_id: interaction.id,
    conversation_id: interaction.threadId,
    run_id: runIdOf(interaction),
    actor_type: by.type,
    actor_id: by.id,
    values: {
      ...fromValues(values, sent),
      ...(payload === undefined || payloadAt === undefined ? {} : { [payloadAt]: JSON.stringify(payload) }),
    },
    created_at: at,
  };
}

function fromValues(values: FreeObject, sent: Original | undefined): ScalarValues {
  const originals = new Map(sent?.fields.map((field) => [field.name, field.options]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, asSent(originals.get(name), scalarOf(value))]),
  );
}

/** If an option was sent as a number, its answer is a number. */
function asSent(options: unknown, value: Scalar): Scalar {
  if (!Array.isArray(options)) return value;
  return options.map(sentValue).find((original) => original !== undefined && String(original) === value) ?? value;
}

/** Fields and recommendations follow from the original, and the label of the button from the metadata. */
export const isSameQuestion = (found: Interaction, asked: CreateInteraction): boolean =>
  jsonEqual(essence(found), essence(asked));

type Essential = 'kind' | 'title' | 'body' | 'responder' | 'run' | 'deadline' | 'metadata' | 'original';

const essence = (question: Partial<Pick<Interaction, Essential>> & { title: string }) => {
  const { kind, title, body, responder, run, deadline, metadata, original } = question;
  const due = deadline && { ...deadline, at: Date.parse(deadline.at) };
  return { kind, title: title.trim(), body, responder, run, due, metadata, original };
};

/** Secret values are in no record, so they cannot be compared. */
export function isSameAnswer(
  { fields, answer }: Interaction,
  sent: { values: Answer['values']; payload?: unknown },
): boolean {
  const read = validateValues(fields, sent.values);
  if (!read.ok || !answer || answer.secretFields) return false;
  const { values, payload } = answer;
  return jsonEqual({ values, payload }, { values: read.values, payload: sent.payload });
}

export function isSameDecline({ answer }: Interaction, reason: string | undefined): boolean {
  return answer?.decision === 'declined' && Object.keys(answer.values).length === 0 && answer.reason === reason;
}
