/** People of a test: invited by an admin key, signed in by their link, and calling with the cookie of their session. */
import type { InvitedPerson, Person } from '@holdpoint/protocol';
import type { CallOptions, Reply } from '../../client.ts';
import { call, cookieOf, header, tokenOf } from '../access/console-caller.ts';
import { SpecClient } from '../openapi/spec-server.ts';

export class PersonClient extends SpecClient {
  readonly person: Person;
  readonly cookie: string;

  constructor(from: SpecClient, person: Person, cookie: string) {
    super(from.url, undefined, from.spec);
    this.person = person;
    this.cookie = cookie;
  }

  override call<T = Record<string, unknown>>(path: string, options: CallOptions = {}): Promise<Reply<T>> {
    const headers = { ...header, cookie: this.cookie, ...options.headers };
    return super.call<T>(path, { ...options, headers });
  }
}

let count = 0;

/** Invites a person, who does not sign in. */
export const invite = (admin: SpecClient, given: Record<string, unknown> = {}): Promise<InvitedPerson> => {
  count++;
  return admin.made('/v1/people', { name: `Person ${count}`, email: `person-${count}@example.com`, ...given });
};

/** Signs a person in by their invitation. */
export async function enter(admin: SpecClient, { invitation, id }: InvitedPerson): Promise<PersonClient> {
  const link = tokenOf(invitation?.url ?? '');
  const reply = await call(admin.url, '/console/session', { headers: header, body: { link } });
  if (reply.status !== 200) throw new Error(`signing in → ${reply.status} ${reply.text}`);
  const { body } = await admin.get<Person>(`/v1/people/${id}`);
  return new PersonClient(admin, body, cookieOf(reply));
}

/** Invites a person, and signs them in. */
export const signedIn = async (admin: SpecClient, given: Record<string, unknown> = {}): Promise<PersonClient> =>
  enter(admin, await invite(admin, given));
