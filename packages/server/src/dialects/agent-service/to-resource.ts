/** An interaction as the resource of the spec: in the words it was asked in here, or derived where it was asked elsewhere. */
import {
  checkShape,
  defined,
  type FreeObject,
  fieldsToJsonSchema,
  type Interaction,
  pickField,
} from '@holdpoint/protocol';
import { onlyInput, payloadShape } from './answer-shape.ts';
import { fromBlock } from './content.ts';
import {
  type InteractionOption,
  type InteractionRequest,
  type Prompt,
  type Sent,
  SentSchema,
} from './interaction-request.ts';
import { toResponse } from './to-response.ts';

export const statuses = {
  pending: 'pending',
  answered: 'resolved',
  cancelled: 'cancelled',
  expired: 'expired',
} as const satisfies Record<Interaction['status'], InteractionRequest['status']>;

export function toResource(interaction: Interaction, orgId: string): InteractionRequest {
  const { id, threadId, run, status, blocking, resolution, deadline, answer, version } = interaction;
  const sent = sentHere(interaction);
  return {
    interactionId: id,
    orgId,
    runId: run?.id ?? id,
    attemptId: run?.attemptId ?? '1',
    threadId,
    kind: sent?.kind ?? interaction.kind,
    status: statuses[status],
    prompt: sent?.prompt ?? derivePrompt(interaction),
    ...defined({ payloadSchema: payloadSchemaOf(interaction, sent) }),
    blocking,
    scope: sent?.scope ?? interaction.grant?.scope ?? 'interaction',
    resolutionPolicy: resolution.mode,
    ...defined({ options: optionsOf(interaction, sent) }),
    ...defined({ response: answer ? toResponse(interaction, answer) : undefined }),
    ...defined({ deadlineAt: deadline?.at }),
    origin: sent?.origin ?? interaction.origin,
    ...defined({ metadata: metadataOf(interaction) }),
    createdAt: interaction.createdAt,
    updatedAt: interaction.updatedAt,
    ...defined({ resolvedAt: interaction.closedAt }),
    version,
  };
}

/** Anybody who asks may give a original, so it is read like any input. */
function sentHere({ original }: Interaction): Sent | undefined {
  if (original?.dialect !== 'agent-service' || checkShape(SentSchema, original.sent).length > 0) return undefined;
  return original.sent as Sent;
}

function derivePrompt({
  title,
  body,
  content = [],
  arguments: proposed,
  recommendations,
  submitLabel,
}: Interaction): Prompt {
  // Who approves must see what: arguments are shown, not only noted.
  const shown = [...content.map(fromBlock), ...(proposed ? [{ type: 'data' as const, data: proposed }] : [])];
  const metadata = defined({ recommendations, submitLabel });
  return {
    title,
    ...defined({
      description: body,
      content: shown.length > 0 ? shown : undefined,
      metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    }),
  };
}

function payloadSchemaOf(interaction: Interaction, sent: Sent | undefined): FreeObject | undefined {
  const { fields, payloadSchema } = interaction;
  switch (payloadShape(interaction)) {
    case 'payload':
      return payloadSchema;
    case 'none':
      return undefined;
    case 'value':
      return sent ? undefined : valueSchema(interaction);
    case 'values': {
      const schema = fieldsToJsonSchema(fields);
      // The option's id may say it in place of the payload.
      const pick = pickField(interaction)?.name;
      return { ...schema, required: (schema.required as string[]).filter((name) => name !== pick) };
    }
  }
}

function valueSchema(interaction: Interaction): FreeObject | undefined {
  const { properties } = fieldsToJsonSchema(interaction.fields) as { properties: Record<string, FreeObject> };
  return properties[onlyInput(interaction) ?? ''];
}

function optionsOf(interaction: Interaction, sent: Sent | undefined): InteractionOption[] | undefined {
  if (sent?.options && sent.options.length > 0) return sent.options;
  return pickField(interaction)?.options.map(({ value, label, kind = 'answer', description }) => ({
    id: value,
    label,
    kind,
    ...defined({ description }),
  }));
}

/** The resource has no place for the number of votes a quorum takes. */
function metadataOf({ resolution, metadata }: Interaction): FreeObject | undefined {
  return resolution.mode === 'first' ? metadata : { ...metadata, resolutionCount: resolution.count };
}
