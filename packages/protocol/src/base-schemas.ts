/** Schemas that many records share: objects, ids, times, free JSON, actors and blocks. */
import { type Static, type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';
import { readDatetime } from './fields/calendar.ts';
import { limits } from './limits.ts';

/** An object that has no other properties than these. */
export const strictObject = <Properties extends TProperties>(properties: Properties, options: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** Such an object with a description, which comes first, so that a reader sees it before the properties. */
export const described = <Properties extends TProperties>(description: string, properties: Properties) =>
  strictObject(properties, { description });

/** A property of a change. Null removes the value. */
export const clearable = <Value extends TSchema>(value: Value, description?: string) =>
  Type.Optional(Type.Union([value, Type.Null()], description === undefined ? {} : { description }));

/** A whole number within these bounds. */
export const wholeNumber = (minimum: number, maximum: number, description: string, ifAbsent?: number) =>
  Type.Integer({ minimum, maximum, ...(ifAbsent === undefined ? {} : { default: ifAbsent }), description });

/** An id that a caller may choose: printable, and safe in a path, a log line and an SQL text column. */
export const GivenIdSchema = Type.String({
  minLength: 1,
  maxLength: limits.idLength,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:~@-]*$',
});

/**
 * An id from another system, such as that of a run, a person or a grant's key: any text without control characters,
 * which not every database keeps.
 */
export const outerId = (options: { description?: string } = {}) =>
  Type.String({
    minLength: 1,
    maxLength: limits.idLength,
    pattern: '^[^\\x00-\\x1f\\x7f]*$',
    ...options,
  });

/** JSON that the server stores unread. `checkJson` bounds its size and depth. */
export const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown());
export type FreeObject = Static<typeof FreeObjectSchema>;

export const TimestampSchema = Type.String({
  description: 'RFC 3339 date-time.',
  examples: ['2030-01-31T12:00:00.000Z'],
});

/** The years 0 to 9999 in UTC, in seconds since 1970. RFC 3339 cannot write other years. */
const yearZero = -62_167_219_200;
const year10000 = 253_402_300_800;

export function isTimestamp(text: string): boolean {
  const seconds = readDatetime(text);
  return seconds !== undefined && seconds >= yearZero && seconds < year10000;
}

export const actorTypes = ['human', 'agent', 'system'] as const;

const ActorTypeSchema = Type.Enum([...actorTypes]);

const actorRef = { type: ActorTypeSchema, id: outerId({ description: 'Stable name of the person or agent.' }) };

/** Names a person, an agent or the system, without saying how it was identified. */
export const ActorRefSchema = strictObject(actorRef);

/** How an actor was identified. `unknown` is for records of earlier versions, which did not record it. */
export const viaValues = [
  'oidc',
  'passkey',
  'link',
  'mcp',
  'token',
  'key',
  'local',
  'email',
  'slack',
  'rule',
  'deadline',
  'unknown',
] as const;

export const ViaSchema = Type.Enum([...viaValues], {
  description:
    'oidc, passkey, link: a session of a person who signed in that way. mcp: an MCP client of a person, by an access token of an identity provider. token: a responder token. key: an API key. local: the server itself or the program it runs in. email, slack: a channel. rule: a grant or a rule. deadline: a due time. unknown: recorded by an earlier version.',
});

/** A person, an agent or the system, and how it was identified. */
export const ActorSchema = strictObject({
  ...actorRef,
  via: ViaSchema,
  name: Type.Optional(Type.String({ description: 'The name at that time.' })),
  keyId: Type.Optional(
    Type.String({ description: 'The API key that acted, or that created the token or the sign-in link.' }),
  ),
  issuedBy: Type.Optional(
    Type.Array(Type.String(), { description: 'The ids of the people who created the token or the sign-in link.' }),
  ),
  onBehalfOf: Type.Optional(Type.String({ description: 'The id of the absent person, if a deputy acted.' })),
});

export type ActorType = Static<typeof ActorTypeSchema>;
export type ActorRef = Static<typeof ActorRefSchema>;
export type Via = Static<typeof ViaSchema>;
export type Actor = Static<typeof ActorSchema>;

export const sameActor = (a: ActorRef, b: ActorRef): boolean => a.type === b.type && a.id === b.id;

/** One piece of a message. Unknown types are stored as sent, and renderers skip them. */
export const BlockSchema = strictObject({
  id: Type.Optional(Type.String({ minLength: 1, maxLength: limits.idLength })),
  type: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'message, form, choice, link, image, card, or a type of your own.',
  }),
  payload: FreeObjectSchema,
  meta: Type.Optional(FreeObjectSchema),
});

export type Block = Static<typeof BlockSchema>;
