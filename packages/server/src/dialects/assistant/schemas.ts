/** The shapes of a turn: the request and the response. Unknown properties of a body are ignored. */
import { FreeObjectSchema, limits } from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';

const Id = Type.String({ minLength: 1, maxLength: limits.idLength });

export const ChatParams = Type.Object({ chatId: Id });

/** Below one minute, after which many proxies close the connection. */
export const defaultTimeoutMs = 55_000;

export const TurnQuery = Type.Object({
  timeoutMs: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.waitMs,
      default: defaultTimeoutMs,
      description: 'How long to wait for the turn to end.',
    }),
  ),
});

export const TurnBodySchema = Type.Object(
  {
    message: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.messageLength,
        description: 'What the person says. It answers the question that waits, if it clearly does.',
      }),
    ),
    selectedOptionId: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.labelLength, description: 'Which option of it is picked (ours).' }),
    ),
    values: Type.Optional(FreeObjectSchema),
  },
  {
    description: 'A message, or an exact answer to the question that waits (ours): values by the names of its fields.',
  },
);

const ToolCallSchema = Type.Object({ toolName: Type.String(), toolCallId: Type.String(), args: Type.Unknown() });

const ShownInteractionSchema = Type.Object({
  toolCallId: Type.String(),
  toolName: Type.String(),
  description: Type.String(),
  options: Type.Array(Type.Unknown()),
});

export const ShownTurnSchema = Type.Object({
  status: Type.Enum(['complete', 'interaction_required', 'running', 'failed']),
  assistantText: Type.String(),
  toolCalls: Type.Array(ToolCallSchema),
  interaction: Type.Union([ShownInteractionSchema, Type.Null()]),
  error: Type.Union([Type.Object({ message: Type.String(), code: Type.String() }), Type.Null()]),
});

export type TurnBody = Static<typeof TurnBodySchema>;
export type ShownToolCall = Static<typeof ToolCallSchema>;
export type ShownInteraction = Static<typeof ShownInteractionSchema>;
export type ShownTurn = Static<typeof ShownTurnSchema>;
