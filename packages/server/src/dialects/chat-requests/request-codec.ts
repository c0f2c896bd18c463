/** Translates a request into a question, and an interaction into a request. */
import {
  type Answer,
  type CreateInteraction,
  checkQuestion,
  checkShape,
  defined,
  type FreeObject,
  fail,
  type Interaction,
  jsonEqual,
  pickField,
  type Role,
  type SubmitAnswer,
  sentenceOf,
  type UpdateInteraction,
} from '@holdpoint/protocol';
import { refuse, refuseProblems } from '../pointers.ts';
import { proposedSecrets } from '../proposed-secrets.ts';
import { toResolution } from './answer-codec.ts';
import { primaryUser } from './message-codec.ts';
import { requestType, toConfig, toQuestion } from './question-codec.ts';
import {
  type CreateRequest,
  configSchemas,
  type RequestStatus,
  type RequestType,
  type UpdateRequest,
} from './schemas.ts';

export function toInteraction({ type, title, body, config, trace, expiresAt }: CreateRequest): CreateInteraction {
  readConfig(type, config);
  return {
    ...toQuestion(type, { title, config }),
    ...defined({
      body: body ?? undefined,
      trace: trace ?? undefined,
      deadline: expiresAt ? { at: expiresAt, outcome: 'expire' as const } : undefined,
    }),
    // The backend may resolve a request for the user.
    responder: { type: 'any' },
    original: originalOf(config),
  };
}

export function toUpdate(interaction: Interaction, { title, body, config, trace }: UpdateRequest): UpdateInteraction {
  const before = interaction.original?.dialect === 'chat-requests' ? interaction.original : undefined;
  return {
    expectedVersion: interaction.version,
    ...defined({ title, body, trace, original: config ? originalOf(config) : before }),
    ...(config && toConfigUpdate(interaction, { title: title ?? interaction.title, config })),
  };
}

/** The new config keeps the kind of the question and its field names. */
function toConfigUpdate(before: Interaction, { title, config }: { title: string; config: FreeObject }) {
  const type = requestType(before);
  readConfig(type, config);
  if (type === 'form' && !jsonEqual(config.payloadSchema, before.payloadSchema))
    refuse('/config/payloadSchema', 'not-allowed', otherPayloadSchema);
  const checked = checkQuestion(toQuestion(type, { title, config, before }));
  if (!checked.ok) return fail('invalid-input', sentenceOf(checked.problems), { problems: checked.problems });
  const { question } = checked;
  const [earlier, pick] = [pickField(before), pickField(question)];
  const fields = question.fields.map((field) =>
    type === 'choice' && field === pick && earlier ? { ...field, name: earlier.name } : field,
  );
  return { fields, submitLabel: question.submitLabel ?? null };
}

const otherPayloadSchema =
  'The payloadSchema of a request cannot be changed. Send it unchanged, or cancel the request and create a new one.';

function readConfig(type: RequestType, config: FreeObject): void {
  const misshapen = checkShape(configSchemas[type], config, '/config');
  refuseProblems(misshapen.length > 0 ? misshapen : proposedSecrets(config.fields, '/config/fields'));
}

const originalOf = (config: FreeObject) => ({ dialect: 'chat-requests' as const, sent: { config } });

/** Opengram has no decline and no deadline, so both are shown as cancelled. */
export function requestStatus({ status, answer }: Pick<Interaction, 'status' | 'answer'>): RequestStatus {
  if (status === 'pending') return 'pending';
  return status === 'answered' && answer && isResolution(answer) ? 'resolved' : 'cancelled';
}

/** A decline has no values. A rejecting option is a resolution like any other. */
export const isResolution = ({ decision, values }: Pick<Answer, 'decision' | 'values'>): boolean =>
  decision === 'accepted' || Object.keys(values).length > 0;

export const resolvedBy = ({ answer }: Pick<Interaction, 'answer'>): 'user' | 'backend' =>
  answer?.by.type === 'human' ? 'user' : 'backend';

/** The responder of a resolution. Only an admin key may answer for others. */
export function responderFor(
  caller: { kind: string; role?: Role },
  named: 'user' | 'backend',
): Pick<SubmitAnswer, 'responder'> {
  if (caller.role !== 'admin') return {};
  return {
    responder: named === 'user' ? { type: 'human', id: primaryUser } : { type: 'system', id: 'backend' },
  };
}

export function toRequest(interaction: Interaction) {
  const { id, threadId, title, body, createdAt, closedAt, answer, trace, deadline } = interaction;
  const status = requestStatus(interaction);
  const isResolved = status === 'resolved';
  return {
    id,
    chat_id: threadId,
    type: requestType(interaction),
    status,
    title,
    body: body ?? null,
    config: toConfig(interaction),
    created_at: createdAt,
    resolved_at: (isResolved && closedAt) || null,
    resolved_by: isResolved ? resolvedBy(interaction) : null,
    resolution_payload: isResolved && answer ? toResolution(interaction, answer) : null,
    trace: trace ?? null,
    expires_at: deadline?.at ?? null,
  };
}
