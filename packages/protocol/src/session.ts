/** Public keys, which stand in a web page for anybody to read, and the sessions that are opened with them. */
import { type Static, Type } from 'typebox';
import { checkJson } from './check-json.ts';
import { TimestampSchema } from './free-json.ts';
import { limits } from './limits.ts';
import { type Problem, pointer } from './problem.ts';
import { AgentNameSchema } from './run.ts';

const strict = { additionalProperties: false };
const printable = '^[^\\x00-\\x1f\\x7f]*$';

const IntentSchema = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: limits.nameLength, description: 'What messages name it by.' }) },
  { description: 'What a message may be meant for; whatever else it says is for the page.' },
);

const WidgetSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'A title, colours, whatever the page makes of it.',
});
const IntentsSchema = Type.Array(IntentSchema, {
  maxItems: limits.intents,
  description: 'Where there are any, messages name no others.',
});
const QuickQuestionsSchema = Type.Array(Type.String({ minLength: 1, maxLength: limits.labelLength }), {
  maxItems: limits.quickQuestions,
  description: 'Shown before anything is said.',
});

export const PublicKeySettingsSchema = Type.Object(
  {
    agent: AgentNameSchema,
    allowedOrigins: Type.Array(Type.String({ minLength: 1, maxLength: limits.originLength }), {
      minItems: 1,
      maxItems: limits.origins,
      description:
        'https://acme.com, or https://*.acme.com for all below it, or * for anybody, also for who is no page.',
    }),
    widget: Type.Optional(WidgetSchema),
    intents: Type.Optional(IntentsSchema),
    quickQuestions: Type.Optional(QuickQuestionsSchema),
    isEnabled: Type.Optional(Type.Boolean({ description: 'false: nobody opens a session with it.' })),
  },
  { ...strict, description: 'Whom a page talks to, which pages may, and what they show. Anybody may read it.' },
);

export const PublicKeyChangesSchema = Type.Partial(PublicKeySettingsSchema);

const VariablesSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: `At most ${limits.variables} of them, ${limits.variablesBytes} bytes in all; names are of a to z, 0 to 9 and _.`,
});

export const OpenSessionSchema = Type.Object(
  {
    customerId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.customerIdLength,
        pattern: printable,
        description: 'Who the page says it is; nobody has checked it.',
      }),
    ),
    locale: Type.Optional(
      Type.String({ pattern: '^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8}){0,4}$', description: 'Such as de-AT.' }),
    ),
    variables: Type.Optional(VariablesSchema),
  },
  strict,
);

export const SessionSchema = Type.Object(
  {
    token: Type.String({ description: 'A responder token for the thread.' }),
    threadId: Type.String(),
    expiresAt: TimestampSchema,
    widget: WidgetSchema,
    intents: IntentsSchema,
    quickQuestions: QuickQuestionsSchema,
  },
  strict,
);

export const RecordTelemetrySchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'What the person did, such as link_click.' }),
    props: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Free JSON about it.' })),
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: limits.telemetryIdLength,
        pattern: printable,
        description: 'The same twice in a thread is recorded once.',
      }),
    ),
    at: Type.Optional(TimestampSchema),
  },
  strict,
);

export const RecordedTelemetrySchema = Type.Object(
  { isRepeated: Type.Boolean({ description: 'Whether it was recorded before.' }) },
  strict,
);

export type PublicKeySettings = Static<typeof PublicKeySettingsSchema>;
export type OpenSession = Static<typeof OpenSessionSchema>;
export type Session = Static<typeof SessionSchema>;
export type RecordTelemetry = Static<typeof RecordTelemetrySchema>;
export type RecordedTelemetry = Static<typeof RecordedTelemetrySchema>;

/** Bounds that a schema says only half of. */
export function checkVariables(variables: Record<string, unknown> = {}): Problem[] {
  const names = Object.keys(variables);
  if (names.length > limits.variables)
    return [{ pointer: '/variables', code: 'max-items', message: `Send at most ${limits.variables} variables.` }];
  const odd = names.filter((name) => !/^[a-z][a-z0-9_]{0,63}$/.test(name));
  return [
    ...odd.map((name) => ({
      pointer: pointer('/variables', name),
      code: 'name',
      message: 'A variable is named by a letter from a to z, then at most 63 of a to z, 0 to 9 and _.',
    })),
    ...checkJson(variables, { maxBytes: limits.variablesBytes, maxDepth: limits.jsonDepth }, '/variables'),
  ];
}
