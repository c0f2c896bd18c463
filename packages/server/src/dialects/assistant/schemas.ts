/** The shapes of a turn: the request and the response. Unknown properties of a body are ignored. */
import { FreeObjectSchema, limits } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';

/** Below one minute, after which many proxies close the connection. */
export const defaultTimeoutMs = 55_000;

export const TurnQuery = Type.Object({
  timeoutMs: Type.Optional(Type.Integer({ minimum: 0, maximum: limits.waitMs })),
});

/** A message, or an exact answer to the pending question (ours), with its values by the names of its fields. */
export const TurnBodySchema = Type.Object({
  message: Type.Optional(Type.String({ minLength: 1, maxLength: limits.messageLength })),
  selectedOptionId: Type.Optional(Type.String({ minLength: 1, maxLength: limits.labelLength })),
  values: Type.Optional(FreeObjectSchema),
});

export type TurnBody = Static<typeof TurnBodySchema>;

export interface ShownTurn {
  status: 'complete' | 'interaction_required' | 'running' | 'failed';
  assistantText: string;
  toolCalls: { toolName: string; toolCallId: string; args: unknown }[];
  interaction: { toolCallId: string; toolName: string; description: string; options: unknown[] } | null;
  error: { message: string; code: string } | null;
}
