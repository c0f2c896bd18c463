/** What requests look like there. What a question may be is judged by the domain; here is only what a thing is called. */
import { FreeObjectSchema, limits } from '@holdpoint/protocol';
import { type Static, type TSchema, Type } from 'typebox';

const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const orNothing = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

const requestTypes = ['choice', 'text_input', 'form'] as const;
const RequestTypeSchema = Type.Enum([...requestTypes]);

const Title = Type.String({ minLength: 1, maxLength: limits.titleLength });
const Body = Type.String({ maxLength: limits.bodyLength });
const SubmitLabel = Type.Optional(Type.String({ maxLength: limits.labelLength }));
const Fields = Type.Array(Type.Unknown(), { maxItems: limits.fields });

/** Names that are not here are kept as sent, and mean nothing. */
export const configSchemas = {
  choice: Type.Object({
    options: Type.Array(Type.Object({ id: Type.String(), label: Type.String() }), {
      minItems: 1,
      maxItems: limits.optionsPerField,
    }),
    minSelections: orNothing(Type.Integer({ minimum: 0 })),
    maxSelections: orNothing(Type.Integer({ minimum: 1 })),
    fields: Type.Optional(Fields),
    submitLabel: SubmitLabel,
  }),
  text_input: Type.Object({
    placeholder: orNothing(Type.String({ maxLength: limits.labelLength })),
    validation: orNothing(
      Type.Object({
        minLength: orNothing(Type.Integer({ minimum: 0 })),
        maxLength: orNothing(Type.Integer({ minimum: 1 })),
        pattern: orNothing(Type.String()),
      }),
    ),
    submitLabel: SubmitLabel,
  }),
  form: Type.Object({
    fields: Fields,
    submitLabel: SubmitLabel,
    payloadSchema: Type.Optional(FreeObjectSchema),
  }),
};

export const CreateRequestSchema = Type.Object({
  type: RequestTypeSchema,
  title: Title,
  body: orNothing(Body),
  config: FreeObjectSchema,
  trace: orNothing(FreeObjectSchema),
  expiresAt: orNothing(Type.String({ maxLength: 40 })),
});

export const UpdateRequestSchema = Type.Object(
  {
    title: Type.Optional(Title),
    body: orNothing(Body),
    config: Type.Optional(FreeObjectSchema),
    trace: orNothing(FreeObjectSchema),
  },
  { additionalProperties: false, minProperties: 1 },
);

/** The payload of each type; `values` beside a choice are the arguments of an approval. */
export const payloadSchemas = {
  choice: Type.Object({
    selectedOptionIds: Type.Array(Type.String()),
    values: Type.Optional(FreeObjectSchema),
    payload: Type.Optional(Type.Unknown()),
  }),
  text_input: Type.Object({ text: Type.String() }),
  form: Type.Object({ values: FreeObjectSchema, payload: Type.Optional(Type.Unknown()) }),
};

/** The rest of it is the payload, which goes by the type of the request. */
export const ResolveRequestSchema = Type.Object({
  resolvedBy: Type.Optional(Type.Enum(['user', 'backend'])),
});

export const DeclineRequestSchema = Type.Object({
  reason: orNothing(Type.String({ minLength: 1, maxLength: limits.reasonLength })),
});

const Time = Type.String({ format: 'date-time' });

export const RequestSchema = Type.Object({
  id: Type.String(),
  chat_id: Type.String(),
  type: RequestTypeSchema,
  status: Type.Enum(['pending', 'resolved', 'cancelled']),
  title: Type.String(),
  body: nullable(Type.String()),
  config: FreeObjectSchema,
  created_at: Time,
  resolved_at: nullable(Time),
  resolved_by: nullable(Type.Enum(['user', 'backend'])),
  resolution_payload: nullable(FreeObjectSchema),
  trace: nullable(FreeObjectSchema),
  expires_at: nullable(Time),
});

export type RequestType = (typeof requestTypes)[number];
export type Config<T extends RequestType> = Static<(typeof configSchemas)[T]>;
export type CreateRequest = Static<typeof CreateRequestSchema>;
export type UpdateRequest = Static<typeof UpdateRequestSchema>;
export type ShownRequest = Static<typeof RequestSchema>;
