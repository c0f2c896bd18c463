/** Keys for agents and backends, and short-lived tokens for people's browsers. */
import { type Static, Type } from 'typebox';
import { TimestampSchema } from './free-json.ts';
import { GivenIdSchema, outerId } from './ids.ts';
import { limits } from './limits.ts';
import { PublicKeyChangesSchema, PublicKeySettingsSchema } from './session.ts';

const strict = { additionalProperties: false };
const Name = Type.String({ minLength: 1, maxLength: limits.nameLength });

const RoleSchema = Type.Enum(['agent', 'admin', 'public'], {
  description:
    'agent: asks, waits, cancels, and answers as an agent. admin: also answers for people and manages access. public: stands in a web page, and opens sessions.',
});

export const ApiKeySchema = Type.Object(
  {
    id: Type.String(),
    name: Name,
    role: RoleSchema,
    publicKey: Type.Optional(Type.String({ description: 'A public key itself, which is no secret.' })),
    public: Type.Optional(PublicKeySettingsSchema),
    createdAt: TimestampSchema,
    revokedAt: Type.Optional(TimestampSchema),
  },
  strict,
);

export const CreateApiKeySchema = Type.Object(
  { name: Name, role: RoleSchema, public: Type.Optional(PublicKeySettingsSchema) },
  { ...strict, description: 'public belongs to the role public, and only to it.' },
);

export const UpdateApiKeySchema = Type.Object(
  { name: Type.Optional(Name), public: Type.Optional(PublicKeyChangesSchema) },
  { ...strict, description: 'Only what is named changes; of public as well.' },
);

export const CreatedApiKeySchema = Type.Object(
  {
    ...ApiKeySchema.properties,
    secret: Type.Optional(
      Type.String({ description: 'The key itself, shown this once; only its hash is stored. A public key has none.' }),
    ),
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
    inbox: Type.Optional(
      Type.Literal(true, { description: 'Whatever waits for this person by name, in any thread of the org.' }),
    ),
    ttlSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.responderTokenSeconds })),
  },
  { ...strict, description: 'Exactly one of threadId, interactionId and inbox says how far the token reaches.' },
);

export const ResponderTokenSchema = Type.Object(
  {
    token: Type.String(),
    expiresAt: TimestampSchema,
    url: Type.Optional(
      Type.String({ description: 'With interactionId: a page on which to answer it, for whoever has the link.' }),
    ),
  },
  strict,
);

export type Role = Static<typeof RoleSchema>;
export type ApiKey = Static<typeof ApiKeySchema>;
export type CreateApiKey = Static<typeof CreateApiKeySchema>;
export type UpdateApiKey = Static<typeof UpdateApiKeySchema>;
export type CreatedApiKey = Static<typeof CreatedApiKeySchema>;
export type CreateOrg = Static<typeof CreateOrgSchema>;
export type CreatedOrg = Static<typeof CreatedOrgSchema>;
export type CreateResponderToken = Static<typeof CreateResponderTokenSchema>;
export type ResponderToken = Static<typeof ResponderTokenSchema>;
