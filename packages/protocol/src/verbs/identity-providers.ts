/** The verbs of identity providers, with which people sign in by OpenID Connect. */
import { type Static, type TSchema, Type } from 'typebox';
import { clearable, strictObject, TimestampSchema } from '../base-schemas.ts';
import { limits } from '../limits.ts';
import { Done, type Page, PageQuery, type PageRequest, pageOf, type Write } from './call.ts';
import { GroupId, Name, PersonRoleSchema } from './people.ts';
import { specsOf } from './specs-of.ts';
import { adminReaders, admins } from './verb-spec.ts';

const ProviderId = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  description: 'Part of the addresses that you enter at the provider: small letters, digits and hyphens.',
});
const Issuer = Type.String({
  minLength: 1,
  maxLength: limits.urlLength,
  description:
    'The URL of the provider, exactly as its discovery document names it. https, or http on the machine of the server.',
});
const credential = (description: string) =>
  Type.String({ minLength: 1, maxLength: 1_024, pattern: '^[\\x20-\\x7e]*$', description });
const ClaimName = Type.String({
  minLength: 1,
  maxLength: 256,
  pattern: '^[^\\x00-\\x1f\\x7f]*$',
});
const ClaimValue = '^[^\\x00-\\x1f\\x7f]{1,256}$';
const isGiven = (description: string) => Type.Boolean({ default: false, description });

const scopeList = (description: string) =>
  Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,256}$' }), {
    ...{ maxItems: 20, uniqueItems: true, description },
  });

/** The settings that have a value only if one is given. */
const optional = {
  clientAuth: Type.Enum(['basic', 'post'], {
    description: 'How the server sends the secret to the provider. Default: as the discovery document says.',
  }),
  scopes: scopeList('Requested in addition to openid. Default: profile and email.'),
  signUp: isGiven('Creates a member for a user of `allowedDomains` who was not invited.'),
  allowedDomains: Type.Array(Type.String({ pattern: '^(?:\\*|[^\\s@*\\x00-\\x1f\\x7f]{1,253})$' }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description: 'Domains of verified emails that may sign up. `*` allows every user of the provider.',
  }),
  trustEmail: isGiven(
    'Takes every email of the provider as verified. Only for a provider whose users cannot choose their email.',
  ),
  roleClaim: { ...ClaimName, description: 'The claim with the roles of the user, such as `roles` or `realm.roles`.' },
  roles: Type.Record(Type.String({ pattern: ClaimValue }), PersonRoleSchema, {
    additionalProperties: false,
    maxProperties: 100,
    description: 'The role that each value of `roleClaim` gives. A user without any of them is a member.',
  }),
  groupClaim: { ...ClaimName, description: 'The claim with the groups of the user.' },
  groups: Type.Record(Type.String({ pattern: ClaimValue }), GroupId, {
    additionalProperties: false,
    maxProperties: 500,
    description: 'The group that each value of `groupClaim` gives. Without it, each value names a group.',
  }),
  createGroups: isGiven('Creates groups that do not exist. Otherwise the server ignores them.'),
  mcpTokens: Type.Enum(['jwt', 'introspection'], {
    description:
      'Accepts access tokens of the provider at /mcp. jwt: verifies signed tokens with the keys of the provider. introspection: asks the provider about each token. Default: rejects them.',
  }),
  mcpScopes: scopeList('The scopes that MCP clients request. Default: openid.'),
  contact: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^\\x00-\\x1f\\x7f]*$',
    description: 'The contact for rejected users, such as an email. Everyone who opens the sign-in page sees it.',
  }),
};

const givenOptions = {
  clientAuth: Type.Optional(optional.clientAuth),
  scopes: Type.Optional(optional.scopes),
  signUp: Type.Optional(optional.signUp),
  allowedDomains: Type.Optional(optional.allowedDomains),
  trustEmail: Type.Optional(optional.trustEmail),
  roleClaim: Type.Optional(optional.roleClaim),
  roles: Type.Optional(optional.roles),
  groupClaim: Type.Optional(optional.groupClaim),
  groups: Type.Optional(optional.groups),
  createGroups: Type.Optional(optional.createGroups),
  mcpTokens: Type.Optional(optional.mcpTokens),
  mcpScopes: Type.Optional(optional.mcpScopes),
  contact: Type.Optional(optional.contact),
};

/** The description stands on the property, and not inside of a union. */
const cleared = <Value extends TSchema & { description?: string }>(value: Value) => clearable(value, value.description);

const given = { name: Name, issuer: Issuer, clientId: credential('The id of this server at the provider.') };
const secret = credential('Never shown again. Leave it out for a public client.');

export const CreateIdentityProviderSchema = strictObject({
  id: ProviderId,
  ...given,
  clientSecret: Type.Optional(secret),
  ...givenOptions,
});

export const IdentityProviderSchema = strictObject({
  id: ProviderId,
  ...given,
  ...givenOptions,
  hasSecret: Type.Boolean({ description: 'Whether a client secret is stored.' }),
  source: Type.Enum(['api', 'environment'], {
    description: 'environment: from the configuration of the server. The API cannot change it.',
  }),
  callbackUrl: Type.Optional(Type.String({ description: 'Enter it at the provider as the redirect URI.' })),
  logoutUrl: Type.Optional(Type.String({ description: 'Enter it at the provider as the back-channel logout URI.' })),
  createdAt: Type.Optional(TimestampSchema),
  updatedAt: Type.Optional(TimestampSchema),
});

const CheckIdentityProviderSchema = strictObject({ issuer: Issuer });

export const IdentityProviderCheckSchema = strictObject({
  isReady: Type.Boolean({ description: 'Whether the server can read the discovery document and the keys.' }),
  reason: Type.Optional(
    Type.Enum(['provider-unavailable', 'invalid-response'], { description: 'Why not, if it cannot.' }),
  ),
  detail: Type.Optional(
    Type.String({ description: 'The code of the connection, or the property of the document that is wrong.' }),
  ),
  hasBackchannelLogout: Type.Optional(
    Type.Boolean({ description: 'Whether the provider can end sessions, at the `logoutUrl`.' }),
  ),
});

const UpdateIdentityProviderSchema = strictObject(
  {
    name: Type.Optional(Name),
    issuer: Type.Optional(Issuer),
    clientId: Type.Optional(given.clientId),
    clientSecret: cleared(secret),
    clientAuth: cleared(optional.clientAuth),
    scopes: cleared(optional.scopes),
    signUp: cleared(optional.signUp),
    allowedDomains: cleared(optional.allowedDomains),
    trustEmail: cleared(optional.trustEmail),
    roleClaim: cleared(optional.roleClaim),
    roles: cleared(optional.roles),
    groupClaim: cleared(optional.groupClaim),
    groups: cleared(optional.groups),
    createGroups: cleared(optional.createGroups),
    mcpTokens: cleared(optional.mcpTokens),
    mcpScopes: cleared(optional.mcpScopes),
    contact: cleared(optional.contact),
  },
  {
    description:
      'Changes only the properties that you give; null removes one. With a new `issuer`, give the secret again.',
  },
);

export type CreateIdentityProvider = Static<typeof CreateIdentityProviderSchema>;
export type IdentityProvider = Static<typeof IdentityProviderSchema>;
export type IdentityProviderCheck = Static<typeof IdentityProviderCheckSchema>;
export type UpdateIdentityProvider = Static<typeof UpdateIdentityProviderSchema>;

export interface IdentityProviderVerbs {
  /** Adds an identity provider, with which people sign in from then on. */
  createIdentityProvider(input: CreateIdentityProvider & Write): Promise<IdentityProvider>;
  /** Asks an issuer for its discovery document and its keys, without a sign-in. */
  checkIdentityProvider(input: { issuer: string }): Promise<IdentityProviderCheck>;
  /** Lists the identity providers of the org by id, with those of the configuration. */
  listIdentityProviders(input: PageRequest): Promise<Page<IdentityProvider>>;
  /** Changes an identity provider. */
  updateIdentityProvider(input: { providerId: string } & UpdateIdentityProvider): Promise<IdentityProvider>;
  /** Removes an identity provider. Nobody signs in with it from then on. */
  deleteIdentityProvider(input: { providerId: string }): Promise<Record<never, never>>;
}

export const identityProviderVerbs = specsOf<IdentityProviderVerbs>()({
  createIdentityProvider: {
    callers: admins,
    summary: 'Add an identity provider',
    description:
      'The sign-in page offers it at once. Enter the `callbackUrl` of the result at the provider. An org other than default may not use an issuer with a private address.',
    input: CreateIdentityProviderSchema,
    status: 201,
    output: IdentityProviderSchema,
  },
  checkIdentityProvider: {
    callers: admins,
    summary: 'Check an issuer',
    description:
      'Asks the issuer for its discovery document and its keys. Changes nothing, and takes at most ten seconds. Only a sign-in shows whether the client is right.',
    input: CheckIdentityProviderSchema,
    output: IdentityProviderCheckSchema,
  },
  listIdentityProviders: {
    callers: adminReaders,
    summary: 'List identity providers',
    description:
      'Lists the providers of the org by id, without their secrets, with those of the configuration of the server.',
    input: PageQuery,
    output: pageOf(IdentityProviderSchema),
  },
  updateIdentityProvider: {
    callers: admins,
    summary: 'Change an identity provider',
    description: 'Providers of the configuration cannot be changed.',
    input: UpdateIdentityProviderSchema,
    output: IdentityProviderSchema,
  },
  deleteIdentityProvider: {
    callers: admins,
    summary: 'Remove an identity provider',
    description: 'Open sessions continue. People sign in with another provider or a link.',
    output: Done,
  },
});
