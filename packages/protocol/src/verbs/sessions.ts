/** The verbs of sessions. Visitors of a web page open them with a public key. */
import { type Static, Type } from 'typebox';
import { described, strictObject, TimestampSchema } from '../base-schemas.ts';
import { checkJson } from '../json.ts';
import { limits } from '../limits.ts';
import { type Problem, pointer, problem } from '../problem.ts';
import { AgentNameSchema } from './runs.ts';
import { specsOf } from './specs-of.ts';
import { participants, publicKeys } from './verb-spec.ts';

const printable = '^[^\\x00-\\x1f\\x7f]*$';

const IntentSchema = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: limits.nameLength, description: 'The name that messages use.' }) },
  { description: 'A purpose that a message can have. Other properties are for the page.' },
);

const WidgetSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Free settings of the page, such as a title and colours.',
});
const IntentsSchema = Type.Array(IntentSchema, {
  maxItems: limits.intents,
  description: 'Intents that a message can have. If the list is empty, a message can have any intent.',
});
const QuickQuestionsSchema = Type.Array(Type.String({ minLength: 1, maxLength: limits.labelLength }), {
  maxItems: limits.quickQuestions,
  description: 'Shown before the first message.',
});

export const PublicKeySettingsSchema = described(
  'The agent of the pages, the origins that may use the key, and the options of the pages. Anyone can read these settings.',
  {
    agent: AgentNameSchema,
    allowedOrigins: Type.Array(Type.String({ minLength: 1, maxLength: limits.originLength }), {
      minItems: 1,
      maxItems: limits.origins,
      description:
        'https://acme.com, https://*.acme.com for all its subdomains, or * for any caller, including callers that are not pages.',
    }),
    widget: Type.Optional(WidgetSchema),
    intents: Type.Optional(IntentsSchema),
    quickQuestions: Type.Optional(QuickQuestionsSchema),
    isEnabled: Type.Optional(Type.Boolean({ description: 'false: the key opens no sessions.' })),
  },
);

export const PublicKeyChangesSchema = Type.Partial(PublicKeySettingsSchema);

const VariablesSchema = Type.Record(Type.String(), Type.Unknown(), {
  description: `At most ${limits.variables} variables, ${limits.variablesBytes} bytes in total. Names have only a to z, 0 to 9 and _.`,
});

export const OpenSessionSchema = strictObject({
  customerId: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.customerIdLength,
      pattern: printable,
      description: 'The customer id that the page gives. It is not verified.',
    }),
  ),
  locale: Type.Optional(
    Type.String({ pattern: '^[A-Za-z]{2,8}([_-][A-Za-z0-9]{1,8}){0,4}$', description: 'For example de-AT.' }),
  ),
  variables: Type.Optional(VariablesSchema),
});

export const SessionSchema = strictObject({
  token: Type.String({ description: 'A responder token for the thread.' }),
  threadId: Type.String(),
  expiresAt: TimestampSchema,
  widget: WidgetSchema,
  intents: IntentsSchema,
  quickQuestions: QuickQuestionsSchema,
});

export const RecordTelemetrySchema = strictObject({
  name: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'The action of the person, for example link_click.',
  }),
  props: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Free JSON about it.' })),
  id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.telemetryIdLength,
      pattern: printable,
      description: 'Events with the same id in a thread are recorded once.',
    }),
  ),
  at: Type.Optional(TimestampSchema),
});

const RecordedTelemetrySchema = strictObject({
  isRepeated: Type.Boolean({ description: 'Whether it was recorded earlier.' }),
});

export type PublicKeySettings = Static<typeof PublicKeySettingsSchema>;
export type OpenSession = Static<typeof OpenSessionSchema>;
export type Session = Static<typeof SessionSchema>;
export type RecordTelemetry = Static<typeof RecordTelemetrySchema>;
export type RecordedTelemetry = Static<typeof RecordedTelemetrySchema>;

/** Checks the bounds that a schema cannot express. */
export function checkVariables(variables: Record<string, unknown> = {}): Problem[] {
  const names = Object.keys(variables);
  if (names.length > limits.variables)
    return [problem('/variables', 'max-items', `Send at most ${limits.variables} variables.`)];
  const odd = names.filter((name) => !/^[a-z][a-z0-9_]{0,63}$/.test(name));
  return [
    ...odd.map((name) =>
      problem(
        pointer('/variables', name),
        'name',
        'Begin the name with a letter from a to z, followed by at most 63 characters of a to z, 0 to 9 and _.',
      ),
    ),
    ...checkJson(variables, { maxBytes: limits.variablesBytes, maxDepth: limits.jsonDepth }, '/variables'),
  ];
}

export interface SessionVerbs {
  /** Opens a session with a public key: a thread and a token for one visitor. `origin` is that of the page. */
  openSession(input: OpenSession & { origin?: string }): Promise<Session>;
  /** Records an action of a person on a page in the log of the thread. Agents do not receive it. */
  recordTelemetry(input: { threadId: string } & RecordTelemetry): Promise<RecordedTelemetry>;
}

export const sessionVerbs = specsOf<SessionVerbs>()({
  openSession: {
    callers: publicKeys,
    summary: 'Open a session with a public key',
    description:
      'Creates a thread with the agent of the key, and a token for one visitor. The token is valid for an hour, for that thread, and only on the paths of the dialect for pages. The key must allow the Origin header of the page.',
    input: OpenSessionSchema,
    takesOrigin: true,
    status: 201,
    output: SessionSchema,
  },
  recordTelemetry: {
    callers: participants,
    summary: 'Record an action of a person on a page',
    description: 'Appends an event to the log of the thread. Agents do not receive it.',
    input: RecordTelemetrySchema,
    output: RecordedTelemetrySchema,
  },
});
