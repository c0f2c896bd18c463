/** Resolves the assignees of a question that name people and groups of the org. */
import type { CreateInteraction, Problem } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import {
  groupAssignee,
  groupIdOf,
  isGroup,
  isPerson,
  namedPerson,
  personAssignee,
  personIdOf,
} from '../../domain/people/assignee.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';

type Tools = Pick<Context, 'store'>;
type Assigned = Pick<CreateInteraction, 'responder' | 'escalations' | 'resolution'>;
type Escalations = NonNullable<Assigned['escalations']>;

/**
 * Returns the question with the ids of the people that it names by email. Throws a problem for each person and group
 * that does not exist, and for people who are deactivated. Other assignees are not looked up.
 */
export async function withKnownAssignees<T extends Assigned>(context: Tools, caller: Caller, asked: T): Promise<T> {
  const { responder, escalations } = asked;
  const groups = quorumGroups(asked);
  const isNamed = responder?.assignees?.some(isLookedUp) || groups.length > 0;
  if (!isNamed && !escalations?.some(({ assignees }) => assignees.some(isLookedUp))) return asked;
  const assigned = await resolved(context, caller, responder?.assignees ?? [], '/responder/assignees');
  const escalated = await resolvedEscalations(context, caller, escalations ?? []);
  const { problems: unknown } = await resolved(context, caller, groups, '/resolution/of');
  const problems = [...assigned.problems, ...escalated.problems, ...unknown.map(atGroup)];
  if (problems.length > 0) throw invalidInput(problems);
  return {
    ...asked,
    ...(responder?.assignees ? { responder: { ...responder, assignees: assigned.assignees } } : {}),
    ...(escalations ? { escalations: escalated.escalations } : {}),
  };
}

const quorumGroups = ({ resolution }: Assigned): string[] =>
  resolution && 'of' in resolution ? resolution.of.map(({ group }) => groupAssignee(group)) : [];

const atGroup = ({ pointer, ...problem }: Problem): Problem => ({ pointer: `${pointer}/group`, ...problem });

/** Returns these assignees with the ids of people named by email, or throws a problem for each that does not exist. */
export async function knownAssignees(
  context: Tools,
  caller: Caller,
  assignees: readonly string[],
  pointer: string,
): Promise<string[]> {
  const known = await resolved(context, caller, assignees, pointer);
  if (known.problems.length > 0) throw invalidInput(known.problems);
  return known.assignees;
}

/** The same for one assignee, whose pointer has no index. */
export async function knownAssignee(
  context: Tools,
  caller: Caller,
  assignee: string,
  pointer: string,
): Promise<string> {
  const known = await knownAs(context, caller, assignee);
  if (typeof known === 'string') return known;
  throw invalidInput([{ pointer, ...known }]);
}

/** Returns the assignees who are people that are deactivated by now. */
export async function deactivatedAmong(
  { store }: Tools,
  orgId: string,
  assignees: readonly string[],
): Promise<string[]> {
  const people = assignees.filter(isPerson);
  const found = await Promise.all(
    people.map((assignee) => store.getDocument({ orgId, type: 'person', id: personIdOf(assignee) })),
  );
  return people.filter((_, index) => found[index]?.record.status === 'deactivated');
}

const isLookedUp = (assignee: string): boolean => isPerson(assignee) || isGroup(assignee);

async function resolvedEscalations(context: Tools, caller: Caller, escalations: Escalations) {
  const each = await Promise.all(
    escalations.map(({ assignees }, index) => resolved(context, caller, assignees, `/escalations/${index}/assignees`)),
  );
  return {
    problems: each.flatMap(({ problems }) => problems),
    escalations: escalations.map((one, index) => ({ ...one, assignees: each[index]?.assignees ?? one.assignees })),
  };
}

async function resolved(context: Tools, caller: Caller, assignees: readonly string[], pointer: string) {
  const problems: Problem[] = [];
  const found = await Promise.all(
    assignees.map(async (assignee, index) => {
      const known = await knownAs(context, caller, assignee);
      if (typeof known === 'string') return known;
      problems.push({ pointer: `${pointer}/${index}`, ...known });
      return assignee;
    }),
  );
  // Two names of one person are one assignee.
  return { problems: problems.toSorted((a, b) => order(a) - order(b)), assignees: [...new Set(found)] };
}

const order = ({ pointer }: Problem): number => Number(pointer.slice(pointer.lastIndexOf('/') + 1));

async function knownAs(
  { store }: Tools,
  { orgId }: Caller,
  assignee: string,
): Promise<string | Pick<Problem, 'code' | 'message'>> {
  if (isGroup(assignee)) {
    const id = groupIdOf(assignee);
    const group = await store.getDocument({ orgId, type: 'group', id });
    return group ? assignee : { code: 'unknown', message: `There is no group ${id}.` };
  }
  if (!isPerson(assignee)) return assignee;
  const named = namedPerson(assignee);
  const by = { orgId, type: 'person' } as const;
  const found =
    named &&
    (await ('id' in named
      ? store.getDocument({ ...by, id: named.id })
      : store.findDocument({ ...by, alias: named.email })));
  if (!found) return { code: 'unknown', message: `There is no person ${personIdOf(assignee)}.` };
  if (found.record.status === 'deactivated')
    return { code: 'deactivated', message: `${found.record.name} is deactivated.` };
  return personAssignee(found.id);
}
