/** The verbs of people: who works in an org, their sessions and the links with which they sign in. */
import { type Static, Type } from 'typebox';
import {
  clearable,
  GivenIdSchema,
  outerId,
  strictObject,
  TimestampSchema,
  ViaSchema,
  wholeNumber,
} from '../base-schemas.ts';
import { limits } from '../limits.ts';
import { Done, Id, type Page, PageQuery, type PageRequest, page, pageOf, type Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { admins, everybody, people } from './verb-spec.ts';

export const Name = Type.String({ minLength: 1, maxLength: limits.nameLength, pattern: '^[^\\x00-\\x1f\\x7f]*$' });
const Email = Type.String({
  minLength: 3,
  maxLength: limits.emailLength,
  pattern: '^[^\\s@\\x00-\\x1f\\x7f]+@[^\\s@\\x00-\\x1f\\x7f]+$',
  description: 'Compared without regard to case. One person of an org has it.',
});

export const PersonRoleSchema = Type.Enum(['admin', 'member', 'auditor'], {
  description:
    'admin: manages the org. member: sees and answers questions for them, for their groups or for anyone. auditor: reads everything and changes nothing.',
});
const Roles = Type.Array(PersonRoleSchema, { minItems: 1, maxItems: 3, uniqueItems: true });
/** Shorter than other ids, so that `group:` and the id are an assignee. */
export const GroupId = Type.String({ ...GivenIdSchema, maxLength: limits.groupIdLength });
const GroupIds = Type.Array(GroupId, { maxItems: limits.groupsOfPerson, uniqueItems: true });
const Locale = Type.String({ minLength: 2, maxLength: 35, pattern: '^[A-Za-z0-9-]+$', description: 'A BCP 47 tag.' });
const TimeZone = Type.String({ minLength: 1, maxLength: 64, description: 'An IANA name, such as Europe/Rome.' });

const IdentitySchema = strictObject(
  { issuer: Type.String(), subject: Type.String(), addedAt: TimestampSchema },
  { description: 'An account of an identity provider with which the person has signed in.' },
);

export const PasskeySchema = strictObject({
  id: Type.String({ description: 'The credential id, as base64url.' }),
  name: Name,
  publicKey: Type.String({
    description: 'The public key, as the JSON text of a JWK. It verifies the signatures of answers.',
  }),
  createdAt: TimestampSchema,
  lastUsedAt: Type.Optional({ ...TimestampSchema, description: 'The last sign-in with it.' }),
});

const DeputySchema = strictObject(
  { personId: Id, from: TimestampSchema, until: TimestampSchema },
  { description: 'Another person who may answer in this period, under their own name, on behalf of this person.' },
);

export const PersonSchema = strictObject({
  id: Type.String(),
  name: Name,
  email: Type.Optional(Email),
  status: Type.Enum(['invited', 'active', 'deactivated']),
  roles: Roles,
  groups: GroupIds,
  locale: Type.Optional(Locale),
  timeZone: Type.Optional(TimeZone),
  identities: Type.Array(IdentitySchema),
  passkeys: Type.Array(PasskeySchema, { maxItems: limits.passkeysOfPerson }),
  deputy: Type.Optional(DeputySchema),
  createdAt: TimestampSchema,
  updatedAt: TimestampSchema,
  lastSeenAt: Type.Optional(TimestampSchema),
});

const SignInLinkSchema = strictObject({
  url: Type.String({ description: 'The address of a page. The first person who opens it signs in as this person.' }),
  expiresAt: TimestampSchema,
});

const InvitedPersonSchema = strictObject({
  ...PersonSchema.properties,
  invitation: Type.Optional(SignInLinkSchema),
});

const CreatePersonSchema = strictObject({
  name: Name,
  email: Type.Optional(Email),
  roles: Type.Optional(Roles),
  groups: Type.Optional(GroupIds),
});

const UpdatePersonSchema = strictObject(
  {
    name: Type.Optional(Name),
    email: clearable(Email),
    roles: Type.Optional(Roles),
    groups: Type.Optional(GroupIds),
    status: Type.Optional(Type.Enum(['active', 'deactivated'])),
    locale: clearable(Locale),
    timeZone: clearable(TimeZone),
    deputy: clearable(DeputySchema),
  },
  {
    description:
      'Changes only the properties that you give; null removes one. Without the role admin, people change only their own name, locale, timeZone and deputy.',
  },
);

const PeopleQuery = strictObject({
  status: Type.Optional(PersonSchema.properties.status),
  group: Type.Optional(GivenIdSchema),
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Part of a name or an email.' })),
  ...page,
});

export const PersonSessionSchema = strictObject({
  id: Type.String(),
  via: ViaSchema,
  device: Type.String({ description: 'The browser, as it named itself.' }),
  createdAt: TimestampSchema,
  lastUsedAt: TimestampSchema,
  expiresAt: TimestampSchema,
  isCurrent: Type.Optional(Type.Literal(true, { description: 'The session of this call.' })),
});

const CreateSignInLinkSchema = strictObject(
  {
    personId: Type.Optional(Id),
    ttlSeconds: Type.Optional(wholeNumber(60, limits.invitationSeconds, 'Seconds until the link expires.', 3_600)),
  },
  {
    description:
      'Without personId: a link for the first admin, if nobody has signed in yet; otherwise for the admin of the org, if there is only one.',
  },
);

const MeSchema = strictObject(
  {
    kind: Type.Enum(['key', 'person', 'token']),
    orgId: Type.String(),
    id: Type.String({ description: 'The id of the key or person.' }),
    via: ViaSchema,
    name: Type.Optional(Type.String()),
    role: Type.Optional(Type.String({ description: 'The role of the key.' })),
    person: Type.Optional(PersonSchema),
    sessionId: Type.Optional(Type.String()),
  },
  { description: 'The caller, as the server knows it.' },
);

const RevokeTokensSchema = strictObject(
  { token: Type.Optional(Type.String({ maxLength: 4_096 })), responderId: Type.Optional(outerId()) },
  { description: 'Give one of them: one token, or all tokens that a responder has until now.' },
);

export type PersonRole = Static<typeof PersonRoleSchema>;
export type Person = Static<typeof PersonSchema>;
export type Passkey = Static<typeof PasskeySchema>;
export type InvitedPerson = Static<typeof InvitedPersonSchema>;
export type CreatePerson = Static<typeof CreatePersonSchema>;
export type UpdatePerson = Static<typeof UpdatePersonSchema>;
export type PeopleFilter = Static<typeof PeopleQuery>;
export type PersonSession = Static<typeof PersonSessionSchema>;
export type CreateSignInLink = Static<typeof CreateSignInLinkSchema>;
export type SignInLink = Static<typeof SignInLinkSchema>;
export type Me = Static<typeof MeSchema>;
export type RevokeTokens = Static<typeof RevokeTokensSchema>;

export interface PeopleVerbs {
  /** Describes the caller: the key, the person or the token of this call. */
  getMe(input: Record<never, never>): Promise<Me>;
  /** Invites a person. The result has a link with which they sign in, shown only once. */
  createPerson(input: CreatePerson & Write): Promise<InvitedPerson>;
  /** Gets one person. */
  getPerson(input: { personId: string }): Promise<Person>;
  /** Lists people, filtered by status, group or part of a name. */
  listPeople(input: PeopleFilter): Promise<Page<Person>>;
  /** Changes a person. `status: 'deactivated'` ends their sessions and removes them from pending questions. */
  updatePerson(input: { personId: string } & UpdatePerson): Promise<Person>;
  /** Creates a link with which one person signs in, once. */
  createSignInLink(input: CreateSignInLink & Write): Promise<SignInLink>;
  /** Lists the open sessions of a person, with their devices. */
  listPersonSessions(input: { personId: string } & PageRequest): Promise<Page<PersonSession>>;
  /** Ends a session. Calls with it fail from then on. */
  endPersonSession(input: { personId: string; sessionId: string }): Promise<Record<never, never>>;
  /** Removes a passkey of a person. It signs no answer and opens no session from then on. */
  removePasskey(input: { personId: string; passkeyId: string }): Promise<Person>;
  /** Revokes a responder token, or all tokens of a responder. */
  revokeResponderTokens(input: RevokeTokens & Write): Promise<Record<never, never>>;
}

export const peopleVerbs = specsOf<PeopleVerbs>()({
  getMe: {
    callers: everybody,
    summary: 'Get the caller',
    description: 'Returns the key, the person or the token of this call, with its rights.',
    output: MeSchema,
  },
  createPerson: {
    callers: admins,
    summary: 'Invite a person',
    description:
      'The result has a link, shown only once and valid for seven days. The person is invited until they sign in. The default role is member.',
    input: CreatePersonSchema,
    status: 201,
    output: InvitedPersonSchema,
  },
  getPerson: {
    callers: people,
    summary: 'Get a person',
    description: 'Returns one person of the org. Members see the sign-in details of nobody but themselves.',
    output: PersonSchema,
  },
  listPeople: {
    callers: people,
    summary: 'List people',
    description: 'Lists the people of the org, the oldest first.',
    input: PeopleQuery,
    output: pageOf(PersonSchema),
  },
  updatePerson: {
    callers: people,
    summary: 'Change a person',
    description:
      'Deactivating a person ends their sessions and removes them from pending questions. The last active admin cannot be deactivated or lose the role.',
    input: UpdatePersonSchema,
    output: PersonSchema,
  },
  createSignInLink: {
    callers: admins,
    summary: 'Create a sign-in link',
    description: 'The link works once. Whoever opens it signs in as this person, so send it to nobody else.',
    input: CreateSignInLinkSchema,
    status: 201,
    output: SignInLinkSchema,
  },
  listPersonSessions: {
    callers: people,
    summary: 'List the sessions of a person',
    description: 'People without the role admin or auditor list only their own.',
    input: PageQuery,
    output: pageOf(PersonSessionSchema),
  },
  endPersonSession: {
    callers: people,
    summary: 'End a session',
    description: 'People without the role admin end only their own. Streams of the session end within 15 seconds.',
    output: Done,
  },
  removePasskey: {
    callers: people,
    summary: 'Remove a passkey',
    description:
      'People without the role admin remove only their own. Sessions that were opened with it stay open, until they are ended.',
    output: PersonSchema,
  },
  revokeResponderTokens: {
    callers: admins,
    summary: 'Revoke responder tokens',
    description: 'Calls with them fail within a second. Tokens that are created later are valid.',
    input: RevokeTokensSchema,
    output: Done,
  },
});
