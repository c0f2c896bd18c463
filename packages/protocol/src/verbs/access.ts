/** The verbs of access: API keys, orgs, and tokens for people. */
import { type Static, Type } from 'typebox';
import { ActorSchema, described, GivenIdSchema, outerId, strictObject, TimestampSchema } from '../base-schemas.ts';
import { limits } from '../limits.ts';
import { type Page, PageQuery, type PageRequest, pageOf, type Write } from './call.ts';
import { PublicKeyChangesSchema, PublicKeySettingsSchema } from './sessions.ts';
import { specsOf } from './specs-of.ts';
import { adminReaders, admins } from './verb-spec.ts';

const Name = Type.String({ minLength: 1, maxLength: limits.nameLength, description: 'A name of the key, for people.' });

const RoleSchema = Type.Enum(['agent', 'admin', 'public'], {
  description:
    'agent: asks, waits, cancels, and answers as an agent. admin: also answers for people and manages access. public: for a web page, which opens sessions with it.',
});

export const ApiKeySchema = strictObject({
  id: Type.String(),
  name: Name,
  role: RoleSchema,
  publicKey: Type.Optional(Type.String({ description: 'The public key itself, which is not secret.' })),
  public: Type.Optional(PublicKeySettingsSchema),
  createdBy: Type.Optional(ActorSchema),
  createdAt: TimestampSchema,
  revokedAt: Type.Optional(TimestampSchema),
});

const CreateApiKeySchema = described('The role public needs `public`. Other roles do not accept it.', {
  name: Name,
  role: RoleSchema,
  public: Type.Optional(PublicKeySettingsSchema),
});

const UpdateApiKeySchema = described('Changes only the properties that you give, also inside `public`.', {
  name: Type.Optional(Name),
  public: Type.Optional(PublicKeyChangesSchema),
});

const CreatedApiKeySchema = strictObject({
  ...ApiKeySchema.properties,
  secret: Type.Optional(
    Type.String({
      description: 'The key itself, shown only once; the server stores its hash. A public key has none.',
    }),
  ),
});

const OrgSchema = strictObject({ id: Type.String(), createdAt: TimestampSchema });
const CreateOrgSchema = strictObject({ id: GivenIdSchema });
const CreatedOrgSchema = strictObject({ ...OrgSchema.properties, adminKey: Type.Optional(CreatedApiKeySchema) });

const CreateResponderTokenSchema = described(
  'Give exactly one of threadId, interactionId and inbox: the scope of the token.',
  {
    responderId: outerId({ description: 'The person who uses the token.' }),
    threadId: Type.Optional(Type.String({ minLength: 1, maxLength: limits.idLength })),
    interactionId: Type.Optional(Type.String({ minLength: 1, maxLength: limits.idLength })),
    inbox: Type.Optional(
      Type.Literal(true, {
        description: 'Every pending interaction of the org that names this person as an assignee.',
      }),
    ),
    ttlSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.responderTokenSeconds })),
  },
);

const ResponderTokenSchema = strictObject({
  token: Type.String(),
  expiresAt: TimestampSchema,
  url: Type.Optional(
    Type.String({ description: 'With interactionId: the address of a page. Anyone with the link can answer there.' }),
  ),
});

export type Role = Static<typeof RoleSchema>;
export type ApiKey = Static<typeof ApiKeySchema>;
export type CreateApiKey = Static<typeof CreateApiKeySchema>;
export type UpdateApiKey = Static<typeof UpdateApiKeySchema>;
export type CreatedApiKey = Static<typeof CreatedApiKeySchema>;
export type CreateOrg = Static<typeof CreateOrgSchema>;
export type CreatedOrg = Static<typeof CreatedOrgSchema>;
export type CreateResponderToken = Static<typeof CreateResponderTokenSchema>;
export type ResponderToken = Static<typeof ResponderTokenSchema>;

export interface AccessVerbs {
  /** Creates an API key. Its secret is shown only once. */
  createApiKey(input: CreateApiKey & Write): Promise<CreatedApiKey>;
  /** Lists all API keys, without their secrets. */
  listApiKeys(input: PageRequest): Promise<Page<ApiKey>>;
  /** Changes the name of an API key, or the settings of a public one. */
  updateApiKey(input: { keyId: string } & UpdateApiKey): Promise<ApiKey>;
  /** Revokes an API key. Calls with it fail from then on. */
  revokeApiKey(input: { keyId: string } & Write): Promise<ApiKey>;
  /** Creates an org, with a first admin key. */
  createOrg(input: CreateOrg & Write): Promise<CreatedOrg>;
  /** Creates a short-lived token with which one person can answer. */
  mintResponderToken(input: CreateResponderToken & Write): Promise<ResponderToken>;
}

export const accessVerbs = specsOf<AccessVerbs>()({
  createApiKey: {
    callers: admins,
    summary: 'Create an API key',
    description: 'The result has the secret of the key, which is shown only once.',
    input: CreateApiKeySchema,
    status: 201,
    output: CreatedApiKeySchema,
  },
  listApiKeys: {
    callers: adminReaders,
    summary: 'List API keys',
    description: 'Lists the keys of the org without their secrets, including revoked ones.',
    input: PageQuery,
    output: pageOf(ApiKeySchema),
  },
  updateApiKey: {
    callers: admins,
    summary: 'Change an API key',
    description: 'Changes its name, or the settings of a public key. The role and the secret never change.',
    input: UpdateApiKeySchema,
    output: ApiKeySchema,
  },
  revokeApiKey: {
    callers: admins,
    summary: 'Revoke an API key',
    description: 'Calls with the key fail within a second. Streams opened with it end within 15 seconds.',
    output: ApiKeySchema,
  },
  mintResponderToken: {
    callers: admins,
    summary: 'Create a token for one person',
    description:
      'The token is short-lived and limited to one thread, one interaction or the inbox of the person. With it, a browser needs no API key.',
    input: CreateResponderTokenSchema,
    status: 201,
    output: ResponderTokenSchema,
  },
  createOrg: {
    callers: admins,
    summary: 'Create an org',
    description: 'Only admins of the org `default` can create orgs. It belongs to the people who run the server.',
    input: CreateOrgSchema,
    status: 201,
    output: CreatedOrgSchema,
  },
});
