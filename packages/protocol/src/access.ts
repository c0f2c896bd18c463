/** Keys for agents and backends, and short-lived tokens for people's browsers. */
import { type Static, Type } from 'typebox';
import { TimestampSchema } from './free-json.ts';
import { GivenIdSchema, outerId } from './ids.ts';
import { limits } from './limits.ts';

const strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: limits.nameLength });

const RoleSchema = Type.Enum(['agent', 'admin'], {
  description:
    'agent: asks, waits, cancels, and answers as an agent. admin: also answers for people and manages access.',
});

export const ApiKeySchema = Type.Object(
  {
    id: Type.String(),
    name: Name,
    role: RoleSchema,
    createdAt: TimestampSchema,
    revokedAt: Type.Optional(TimestampSchema),
  },
  strict,
);

export const CreateApiKeySchema = Type.Object({ name: Name, role: RoleSchema }, strict);

export const CreatedApiKeySchema = Type.Object(
  {
    ...ApiKeySchema.properties,
    secret: Type.Optional(Type.String({ description: 'The key itself, shown this once; only its hash is stored.' })),
  },
  strict,
);

const OrgSchema = Type.Object({ id: Type.String(), createdAt: TimestampSchema }, strict);
export const CreateOrgSchema = Type.Object({ id: GivenIdSchema }, strict);
export const CreatedOrgSchema = Type.Object(
  { ...OrgSchema.properties, adminKey: Type.Optional(CreatedApiKeySchema) },
  strict,
);

export const CreateResponderTokenSchema = Type.Object(
  {
    responderId: outerId({ description: 'The person it is for.' }),
    threadId: Type.Optional(Type.String({ minLength: 1, maxLength: limits.idLength })),
    interactionId: Type.Optional(Type.String({ minLength: 1, maxLength: limits.idLength })),
    ttlSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.responderTokenSeconds })),
  },
  { ...strict, description: 'Exactly one of threadId and interactionId says how far the token reaches.' },
);

export const ResponderTokenSchema = Type.Object({ token: Type.String(), expiresAt: TimestampSchema }, strict);

export type Role = Static<typeof RoleSchema>;
export type ApiKey = Static<typeof ApiKeySchema>;
export type CreateApiKey = Static<typeof CreateApiKeySchema>;
export type CreatedApiKey = Static<typeof CreatedApiKeySchema>;
export type CreateOrg = Static<typeof CreateOrgSchema>;
export type CreatedOrg = Static<typeof CreatedOrgSchema>;
export type CreateResponderToken = Static<typeof CreateResponderTokenSchema>;
export type ResponderToken = Static<typeof ResponderTokenSchema>;
