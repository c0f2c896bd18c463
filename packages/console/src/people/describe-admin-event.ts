/** Describes an event of the admin log in one sentence, after the name of its actor. */
import { type AdminEvent, type AdminEventType, isObject, type PersonRole, type Via } from '@holdpoint/protocol';
import { roleWords } from '../me.ts';

interface Described {
  /** The name of the changed record. */
  subject: string;
  data: Readonly<Record<string, unknown>>;
  /** True if people act on themselves, such as a person who signs out. */
  isOwn: boolean;
  nameOfGroup(id: string): string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const signedIn: Partial<Record<Via, string>> = {
  link: 'with a link',
  oidc: 'with an identity provider',
  passkey: 'with a passkey',
};

/** The words for each type, in the order in which the filter lists them. */
const wordsByType: Record<AdminEventType, [title: string, words: (event: Described) => string]> = {
  'person.invited': ['Person invited', ({ subject }) => `invited ${subject}`],
  'person.joined': ['Person joined', ({ subject }) => `added ${subject}, who signed in for the first time`],
  'person.updated': [
    'Person changed',
    (event) => `changed ${event.isOwn ? 'their profile' : event.subject}${changesOf(event)}`,
  ],
  'person.deactivated': ['Person deactivated', ({ subject }) => `deactivated ${subject}`],
  'person.reactivated': ['Person reactivated', ({ subject }) => `reactivated ${subject}`],
  'group.created': ['Group created', ({ subject }) => `created the group ${subject}`],
  'group.updated': ['Group renamed', ({ subject }) => `renamed a group to ${subject}`],
  'group.deleted': ['Group deleted', ({ subject }) => `deleted the group ${subject}`],
  'group.member-added': [
    'Group member added',
    ({ subject, data }) => `added ${textOf(data.personName) || 'a person'} to the group ${subject}`,
  ],
  'group.member-removed': [
    'Group member removed',
    ({ subject, data }) => `removed ${textOf(data.personName) || 'a person'} from the group ${subject}`,
  ],
  'session.started': ['Signed in', ({ data }) => joined('signed in', signedIn[data.via as Via], deviceOf(data))],
  'session.ended': [
    'Session ended',
    ({ subject, data, isOwn }) => joined(isOwn ? 'ended a session' : `ended a session of ${subject}`, deviceOf(data)),
  ],
  'sign-in.failed': [
    'Sign-in failed',
    ({ data }) => joined('rejected a sign-in', textOf(data.email) && `of ${textOf(data.email)}`, reasonIn(data)),
  ],
  'sign-in-link.created': [
    'Sign-in link created',
    ({ subject }) => `created a sign-in link for ${subject || 'the first admin'}`,
  ],
  'passkey.added': ['Passkey added', () => 'added a passkey'],
  'passkey.removed': ['Passkey removed', ({ subject, isOwn }) => `removed a passkey${isOwn ? '' : ` of ${subject}`}`],
  'provider.created': ['Identity provider added', ({ subject }) => `added the identity provider ${subject}`],
  'provider.updated': ['Identity provider changed', ({ subject }) => `changed the identity provider ${subject}`],
  'provider.deleted': ['Identity provider deleted', ({ subject }) => `deleted the identity provider ${subject}`],
  'key.created': ['API key created', ({ subject }) => `created the API key ${subject}`],
  'key.updated': ['API key changed', ({ subject }) => `changed the API key ${subject}`],
  'key.revoked': ['API key revoked', ({ subject }) => `revoked the API key ${subject}`],
  'token.created': ['Token created', ({ subject }) => `created a token for ${subject}`],
  'tokens.revoked': ['Tokens revoked', ({ subject }) => `revoked tokens of ${subject}`],
  'webhook.created': ['Webhook created', (event) => `created a webhook${hostOf(event)}`],
  'webhook.updated': ['Webhook changed', (event) => `changed a webhook${hostOf(event)}`],
  'webhook.deleted': ['Webhook deleted', (event) => `deleted a webhook${hostOf(event)}`],
  'webhook.secret-rotated': ['Webhook secret rotated', (event) => `rotated the secret of a webhook${hostOf(event)}`],
  'grant.revoked': ['Grant revoked', ({ subject }) => `revoked the grant ${subject}`],
  'dispatch.updated': ['Dispatch settings changed', () => 'changed how messages are given to agents'],
  'settings.updated': ['Settings changed', () => 'changed the settings of the org'],
  'org.created': ['Org created', ({ subject }) => `created the org ${subject}`],
  'export.created': ['Log exported', () => 'exported the admin log'],
};

export const adminEventTitles = Object.entries(wordsByType).map(([type, [title]]) => [type, title] as const);

const joined = (...words: (string | undefined)[]): string => words.filter(Boolean).join(' ');

/** A program has no name of a browser. */
const deviceOf = ({ device }: Described['data']): string => {
  const name = textOf(device);
  return name === '' || name === 'Unknown device' ? '' : `in ${name}`;
};

const reasonIn = ({ reason }: Described['data']): string => (reason ? `(${textOf(reason)})` : '');

const hostOf = ({ data }: Described): string => (data.host ? ` for ${textOf(data.host)}` : '');

/** The changed properties of a person, in words. */
const changeWords: Record<string, (value: unknown, event: Described) => string> = {
  name: (value) => `name to ${textOf(value)}`,
  email: (value) => (value === null ? 'removed the email' : `email to ${textOf(value)}`),
  roles: (value) =>
    `roles to ${listOf(value)
      .map((role) => roleWords[role as PersonRole] ?? role)
      .join(', ')}`,
  groups: (value, { nameOfGroup }) => `groups to ${listOf(value).map(nameOfGroup).join(', ') || 'none'}`,
  locale: () => 'language',
  timeZone: () => 'time zone',
  deputy: (value) => (value === null ? 'removed the deputy' : 'deputy'),
};

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function changesOf(event: Described): string {
  const { changed } = event.data;
  if (!isObject(changed)) return '';
  const words = Object.entries(changed).map(([name, value]) => changeWords[name]?.(value, event) ?? name);
  return words.length > 0 ? `: ${words.join('; ')}` : '';
}

/** `subject` is the name of the changed record, if the event does not have it. */
export function describeAdminEvent(
  { type, actor, subject, data = {} }: AdminEvent,
  { subjectName, nameOfGroup }: { subjectName: string | undefined; nameOfGroup(id: string): string },
): string {
  const isOwn = subject?.type === 'person' && actor.type === 'human' && subject.id === actor.id;
  const [, words] = wordsByType[type] ?? [type, () => type];
  return words({ subject: subject?.name ?? subjectName ?? subject?.id ?? '', data, isOwn, nameOfGroup });
}
