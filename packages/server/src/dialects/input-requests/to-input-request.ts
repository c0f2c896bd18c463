/** An interaction as an input request, whatever it was asked by. */
import type { InputRequest, InputRequestStatus, InputResponse, Scalar, ScalarValues } from '@holdpoint/mcp';
import { type Answer, type FreeObject, type Interaction, isInputField } from '@holdpoint/protocol';
import { payloadName } from '../payload-name.ts';
import { describe } from './describe.ts';
import { fromField } from './from-field.ts';
import { spelledValue } from './option.ts';
import { scalarOf } from './scalar.ts';
import { type Sent, sentIn } from './sent-in.ts';

/** Those of a question that was asked without a run, or without a tool call, are its own. */
const runIdOf = ({ id, run }: Interaction): string => run?.id ?? id;
export const toolCallIdOf = ({ id, run }: Interaction): string => run?.toolCallId ?? id;

export function toInputRequest(interaction: Interaction): InputRequest {
  const { responder, deadline, metadata, closedAt = null } = interaction;
  const sent = sentIn(interaction);
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

/** There is no decline there. Who declines fills in nothing, so it is cancelled; who rejects by an option has filled it in. */
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

function toResponse(interaction: Interaction, response: Answer, sent: Sent | undefined): InputResponse {
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

function fromValues(values: FreeObject, sent: Sent | undefined): ScalarValues {
  const spelled = new Map(sent?.fields.map((field) => [field.name, field.options]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, asSpelled(spelled.get(name), scalarOf(value))]),
  );
}

/** An option that was sent as a number is answered with a number. */
function asSpelled(options: unknown, value: Scalar): Scalar {
  if (!Array.isArray(options)) return value;
  return options.map(spelledValue).find((spelled) => spelled !== undefined && String(spelled) === value) ?? value;
}
