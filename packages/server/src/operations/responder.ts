/** Determines in whose name a caller answers. */
import { type Actor, type ActorRef, fail, type Person } from '@holdpoint/protocol';
import { actorOf, type Caller, isSession, responderOf } from '../domain/caller.ts';
import type { Responder } from '../domain/command.ts';
import { namedPerson } from '../domain/people/assignee.ts';
import { assigneesOf, emailsOf } from '../domain/people/person.ts';
import type { Context } from './context.ts';
import { orThrow } from './perform.ts';

/**
 * Returns the responder of an answer. A token or an admin key that names a person of the org, by id or email, acts for that
 * person. So the same person never has two names, and votes once.
 */
export async function responding(
  context: Pick<Context, 'store'>,
  caller: Caller,
  named?: ActorRef,
): Promise<Responder> {
  const by = orThrow(responderOf(caller, named));
  if (caller.kind === 'person') return { by, names: assigneesOf(caller.person), emails: emailsOf(caller.person) };
  // Visitors of a public page choose their own names.
  if (by.type !== 'human' || isSession(caller)) return { by };
  const person = await findPerson(context, caller, by.id);
  if (!person) return { by };
  if (person.status === 'deactivated')
    fail('person-deactivated', `${person.name} is deactivated, and cannot answer. Activate the person first.`);
  const names = [by.id, ...assigneesOf(person)];
  return { by: { ...by, id: person.id, name: person.name }, names, emails: emailsOf(person) };
}

/** A draft of a key belongs to the key, also if the key answers for people. */
export const drafter = async (context: Pick<Context, 'store'>, caller: Caller): Promise<Actor> =>
  caller.kind === 'key' ? actorOf(caller) : (await responding(context, caller)).by;

/** Returns the person of the org with this id or email. */
export async function findPerson(
  { store }: Pick<Context, 'store'>,
  { orgId }: Pick<Caller, 'orgId'>,
  name: string,
): Promise<Person | undefined> {
  const given = namedPerson(name);
  if (!given) return undefined;
  const found =
    'id' in given
      ? await store.getDocument({ orgId, type: 'person', id: given.id })
      : await store.findDocument({ orgId, type: 'person', alias: given.email });
  return found?.record;
}
