/** Names of threads, requests, people, groups and keys, each loaded once. */
import { type ActorRef, defined, type Interaction, type Page, type Person, type Thread } from '@holdpoint/protocol';
import { pagesOf, useLoad } from './load.ts';
import { isAway, useMe } from './me.ts';
import { service } from './service.ts';

/** Enough for any page. Beyond it the oldest entry is dropped. */
const maxKept = 2_000;

/** Returns a function that finds a record once. */
function keep<T>(load: (id: string) => Promise<T>): (id: string) => Promise<T | undefined> {
  const kept = new Map<string, Promise<T | undefined>>();
  return (id) => {
    const known = kept.get(id);
    if (known) return known;
    const found = load(id).catch(() => {
      kept.delete(id);
      return undefined;
    });
    kept.set(id, found);
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
    return found;
  };
}

const lookUp =
  <T>(find: (id: string) => Promise<T | undefined>) =>
  (id: string | undefined): T | undefined =>
    useLoad(async () => (id === undefined ? undefined : find(id)), [id]).data;

export const useThread = lookUp(keep<Thread>((threadId) => service.getThread({ threadId })));
/** The state of the first lookup: use its title, not its status. */
export const useInteraction = lookUp(keep<Interaction>((interactionId) => service.getInteraction({ interactionId })));

const findPerson = keep<Person>((personId) => service.getPerson({ personId }));
const usePerson = lookUp(findPerson);

type NamesById = ReadonlyMap<string, string>;
const noNames: NamesById = new Map();

/** A new record shows its name after at most this time. */
const namesKeptMs = 30_000;

/** Loads the names of a whole list, and keeps them for a while. */
function namesOf(
  list: (page: { cursor?: string; limit: number }) => Promise<Page<{ id: string; name: string }>>,
): (isFresh?: boolean) => Promise<NamesById> {
  let kept: Promise<NamesById> | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const names = new Map<string, string>();
    for await (const { data } of pagesOf((page) => list({ limit: 200, ...page })))
      for (const { id, name } of data) names.set(id, name);
    return names;
  };
  return (isFresh = false) => {
    if (kept && !isFresh && performance.now() - readAt <= namesKeptMs) return kept;
    readAt = performance.now();
    const reading = read();
    kept = reading;
    reading.catch(() => {
      if (kept === reading) kept = undefined;
    });
    return reading;
  };
}

const keyNames = namesOf((page) => service.listApiKeys(page));
export const groupNames = namesOf((page) => service.listGroups(page));

/** Members may not list keys. */
const useKeyNames = (): NamesById => {
  const { seesOrg } = useMe();
  return useLoad(async () => (seesOrg ? keyNames() : noNames), [seesOrg]).data ?? noNames;
};

export const useGroupNames = (): NamesById => useLoad(groupNames, []).data ?? noNames;

/** Actors that the server records without a name. */
const systemNames: Record<string, string> = { holdpoint: 'Holdpoint', deadline: 'The deadline' };

/** Returns the name of an actor: as recorded, or that of its key. */
export function useActorNames(): (actor: ActorRef & { name?: string }) => string {
  const keys = useKeyNames();
  return ({ type, id, name }) =>
    name ?? keys.get(id) ?? (type === 'system' ? systemNames[id] : undefined) ?? shortId(id);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The name of a person. Records of earlier versions, and those with an id only, need a look-up. */
export const usePersonName = (id: string | undefined): string | undefined =>
  usePerson(id !== undefined && uuid.test(id) ? id : undefined)?.name;

const personPrefix = 'person:';

/** Returns the first of these assignees who is away and has the user as deputy. */
export function useAbsentPerson(assignees: readonly string[] = []): Person | undefined {
  const { person } = useMe();
  const ids = assignees.flatMap((each) => (each.startsWith(personPrefix) ? [each.slice(personPrefix.length)] : []));
  const people = useLoad(() => Promise.all(ids.map(findPerson)), [ids]).data ?? [];
  return people.find((each) => each?.deputy?.personId === person.id && isAway(each.deputy));
}

interface NamedAssignee {
  name: string;
  isGroup: boolean;
  /** The deputy of a person, also before and after the period. */
  deputy?: Person['deputy'];
}

/** Returns the words for an assignee: a person, a group, or a name that only a program knows. */
export function useAssignee(assignee: string): NamedAssignee {
  const [, kind, id = ''] = /^(person|group):(.+)$/.exec(assignee) ?? [];
  const groups = useGroupNames();
  const personId = kind === 'person' ? id : kind ? undefined : assignee;
  const person = usePerson(personId !== undefined && uuid.test(personId) ? personId : undefined);
  if (kind === 'group') return { name: groups.get(id) ?? id, isGroup: true };
  return { name: person?.name ?? (kind ? id : assignee), isGroup: false, ...defined({ deputy: person?.deputy }) };
}

/** The end of a long id, because ids of the same hour begin alike. */
export const shortId = (id: string): string => (id.length > 24 ? `…${id.slice(-8)}` : id);

/** Reads at most this many pages of threads. Older threads are shown by id. */
const maxPages = 100;

export class Names {
  readonly #threads = new Map<string, Thread>();
  #keys = noNames;
  readonly #texts = new Map<string, string>();

  readonly #seesThreads: boolean;

  /** `seesThreads`: the user may list threads and keys. For others, only what a request itself says is known. */
  constructor(seesThreads: boolean) {
    this.#seesThreads = seesThreads;
  }

  /** Undefined if the user may not see the thread. */
  titleOf(threadId: string): string | undefined {
    return this.#seesThreads ? (this.#threads.get(threadId)?.title ?? shortId(threadId)) : undefined;
  }

  agentOf({ threadId, createdBy }: Interaction): string {
    return (
      this.#threads.get(threadId)?.agent ?? createdBy.name ?? this.#keys.get(createdBy.id) ?? shortId(createdBy.id)
    );
  }

  /** Lower-case text for the search. */
  textOf(interaction: Interaction): string {
    const name = `${interaction.threadId} ${interaction.createdBy.id}`;
    let text = this.#texts.get(name);
    if (text === undefined) {
      text = `${this.#threads.get(interaction.threadId)?.title ?? ''}\n${this.agentOf(interaction)}`.toLowerCase();
      this.#texts.set(name, text);
    }
    return text;
  }

  put(thread: Thread): void {
    this.#threads.set(thread.id, thread);
    this.#texts.clear();
  }

  /** Loads keys first, because there are few, then threads, newest first. */
  async load(onPage: () => void, signal: AbortSignal): Promise<void> {
    if (!this.#seesThreads) return;
    this.#keys = await keyNames();
    this.#texts.clear();
    onPage();
    let count = 0;
    for await (const { data } of pagesOf((page) => service.listThreads({ limit: 200, ...page }))) {
      for (const thread of data) this.put(thread);
      onPage();
      count += 1;
      if (count === maxPages || signal.aborted) return;
    }
  }
}
