/** Looks up what the rules need to know about a responder: the person behind a key, absent people, and the requesters. */
import { type Actor, type ActorRef, defined, type Fault, fail, type Interaction } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Responder, Voters } from '../../domain/command.ts';
import { bareId, groupIdOf, isGroup, isPerson, personAssignee, personIdOf } from '../../domain/people/assignee.ts';
import { assigneesOf, emailsOf } from '../../domain/people/person.ts';
import { type Names, namesResponders, withNames } from '../../domain/responder.ts';
import { isAsked } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { absentPeopleOf } from '../people/deputies.ts';
import { findPerson, responding } from '../responder.ts';

type Tools = Pick<Context, 'store'>;

/** Returns the responder of one question. What cannot matter for this question is not looked up. */
export async function respondingTo(
  context: Tools & Pick<Context, 'clock'>,
  caller: Caller,
  state: Interaction,
  named?: ActorRef,
): Promise<Responder> {
  const { orgId } = caller;
  const base = await currentResponder(context, caller, named);
  const key = await personOfKey(context, caller, state, { by: base.by, named });
  const { by } = base;
  const names = [...(base.names ?? []), ...(key.names ?? [])];
  const { assignees, notRequester } = state.responder;
  const isDeputy = assignees && names.includes(personAssignee(by.id)) && !isAsked(state, by, names);
  const [absent, requesters] = await Promise.all([
    isDeputy ? absentPeopleOf(context, orgId, { deputyId: by.id, now: context.clock.now() }) : undefined,
    notRequester ? requestersOf(context, orgId, state) : undefined,
  ]);
  return { ...base, ...key, names, emails: { ...base.emails, ...key.emails }, ...defined({ absent, requesters }) };
}

/** The person of a session may be known from up to a second ago. Groups and the status count as they are now. */
async function currentResponder(context: Tools, caller: Caller, named: ActorRef | undefined): Promise<Responder> {
  const base = await responding(context, caller, named);
  if (caller.kind !== 'person') return base;
  const { orgId, person } = caller;
  const stored = await context.store.getDocument({ orgId, type: 'person', id: person.id });
  if (stored && stored.record.status !== 'deactivated') {
    const { record } = stored;
    return { ...base, names: assigneesOf(record), emails: emailsOf(record) };
  }
  return fail('person-deactivated', `${person.name} is deactivated, and cannot answer.`);
}

/** A key that names nobody votes as the person who created it. One that names somebody is still in the hands of that person. */
async function personOfKey(
  context: Tools,
  { orgId }: Caller,
  { resolution, responder }: Interaction,
  { by, named }: { by: Actor; named: ActorRef | undefined },
): Promise<Pick<Responder, 'names' | 'countsAs' | 'keyOwner' | 'emails'>> {
  if (by.via !== 'key' || by.type !== 'human' || by.keyId === undefined) return {};
  const isCounted = resolution.mode !== 'first' || responder.notRequester;
  if (!isCounted && (named || !responder.assignees)) return {};
  const owner = await ownerOfKey(context, orgId, by.keyId);
  if (owner === undefined || owner === by.id) return {};
  const person = (await context.store.getDocument({ orgId, type: 'person', id: owner }))?.record;
  const emails = person ? emailsOf(person) : {};
  if (named) return { keyOwner: owner, emails };
  const isActive = person !== undefined && person.status !== 'deactivated';
  return { countsAs: owner, emails, ...(isActive ? { names: assigneesOf(person) } : {}) };
}

/** A key may have been created with a key, and so on. Nobody makes longer chains. */
const longestChain = 10;

/** Returns the person who created a key, if that is recorded. */
async function ownerOfKey({ store }: Tools, orgId: string, keyId: string): Promise<string | undefined> {
  let id: string | undefined = keyId;
  for (let steps = 0; id !== undefined && steps < longestChain; steps++) {
    const by: Actor | undefined = (await store.getApiKey({ orgId, id }))?.record.createdBy;
    if (by?.type === 'human') return bareId(by.id);
    id = by?.keyId;
  }
  return undefined;
}

/**
 * Returns everybody who requested a question: who asked it, who started its run and its thread, and who wrote the message
 * that the run works on; for each key also the person who created it, and for each token and sign-in link the people.
 */
export async function requestersOf(
  context: Tools,
  orgId: string,
  { createdBy, threadId, run }: Pick<Interaction, 'createdBy' | 'threadId' | 'run'>,
): Promise<ActorRef[]> {
  const { store } = context;
  const [thread, started] = await Promise.all([
    store.getThread({ orgId, id: threadId }),
    run ? store.getRun({ orgId, id: run.id }) : undefined,
  ]);
  // The id of a run may be one of another system, or be that of a run on another thread.
  const own = started?.threadId === threadId ? started : undefined;
  const input = own && (await store.readLog({ orgId, threadId, after: own.fromSeq - 1, limit: 1 })).items[0];
  const actors = [createdBy, thread?.createdBy, own?.startedBy, input?.actor].filter((actor) => actor !== undefined);
  const people = await Promise.all(actors.map((actor) => peopleBehind(context, orgId, actor)));
  return people.flat();
}

async function peopleBehind(context: Tools, orgId: string, actor: Actor): Promise<ActorRef[]> {
  const { type, id, via, keyId, issuedBy = [] } = actor;
  const known: ActorRef[] = [{ type, id }, ...issuedBy.map((each) => ({ type: 'human', id: each }) as const)];
  if (type === 'human') {
    const person = await findPerson(context, { orgId }, id);
    if (person) known.push({ type, id: person.id });
  }
  if (via !== 'key' || keyId === undefined) return known;
  const owner = await ownerOfKey(context, orgId, keyId);
  known.push({ type: 'agent', id: keyId });
  if (owner !== undefined) known.push({ type: 'human', id: owner });
  return known;
}

/** Looks up the givers of grants: the groups that they are in now, and whether they may still answer. */
export async function votersOf(context: Tools, orgId: string, givers: readonly Actor[]): Promise<Voters['known']> {
  const ids = new Set(givers.filter(({ type }) => type === 'human').map(({ id }) => id));
  const found = await Promise.all(
    [...ids].map(async (id) => {
      const person = await findPerson(context, { orgId }, id);
      if (!person) return undefined;
      const isInactive = person.status === 'deactivated' ? true : undefined;
      return [id, { names: assigneesOf(person), ...defined({ isInactive }) }] as const;
    }),
  );
  return Object.fromEntries(found.filter((each) => each !== undefined));
}

/** Names that one refusal shows. */
const mostNames = 20;

/** Adds the names of people and groups to a refusal that says who could answer. */
export async function nameResponders(
  context: Tools,
  orgId: string,
  { fault, state, responder }: { fault: Fault; state: Interaction; responder: Responder },
): Promise<Fault> {
  const assignees = state.responder.assignees?.filter((each) => isPerson(each) || isGroup(each)) ?? [];
  if (!namesResponders(fault) || assignees.length === 0) return fault;
  const found = await Promise.all(
    assignees.slice(0, mostNames).map(async (assignee) => {
      const document = isGroup(assignee)
        ? await context.store.getDocument({ orgId, type: 'group', id: groupIdOf(assignee) })
        : await context.store.getDocument({ orgId, type: 'person', id: personIdOf(assignee) });
      return document ? [[assignee, document.record.name] as const] : [];
    }),
  );
  const names: Names = Object.fromEntries(found.flat());
  return withNames(fault, state, responder, names);
}
