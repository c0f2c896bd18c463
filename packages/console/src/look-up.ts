/** Names of threads, requests, agents and keys, each loaded once. */
import type { Actor, Interaction, Thread } from '@holdpoint/protocol';
import { pagesOf, useLoad } from './load.ts';
import { service } from './service.ts';

/** Enough for any page. Beyond it the oldest entry is dropped. */
const maxKept = 2_000;

function lookUp<T>(load: (id: string) => Promise<T>): (id: string | undefined) => T | undefined {
  const kept = new Map<string, Promise<T | undefined>>();
  const find = (id: string): Promise<T | undefined> => {
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
  return (id) => useLoad(async () => (id === undefined ? undefined : find(id)), [id]).data;
}

export const useThread = lookUp<Thread>((threadId) => service.getThread({ threadId }));
/** The state of the first lookup: use its title, not its status. */
export const useInteraction = lookUp<Interaction>((interactionId) => service.getInteraction({ interactionId }));

/** A new key shows its name after at most this time. */
const keysKeptMs = 30_000;
let keys: Promise<ReadonlyMap<string, string>> | undefined;
let keysReadAt = Number.NEGATIVE_INFINITY;

/** Names of API keys by id. */
function keyNames(): Promise<ReadonlyMap<string, string>> {
  if (keys && performance.now() - keysReadAt <= keysKeptMs) return keys;
  keysReadAt = performance.now();
  const reading = readKeyNames();
  keys = reading;
  reading.catch(() => {
    if (keys === reading) keys = undefined;
  });
  return reading;
}

async function readKeyNames(): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for await (const { data } of pagesOf((page) => service.listApiKeys({ limit: 200, ...page })))
    for (const { id, name } of data) names.set(id, name);
  return names;
}

/** Actors are shown by their name, or by that of their key. */
export function useActorNames(): (actor: Actor) => string {
  const { data } = useLoad(keyNames, []);
  return ({ id, name }) => name ?? data?.get(id) ?? shortId(id);
}

/** The end of a long id, because ids of the same hour begin alike. */
export const shortId = (id: string): string => (id.length > 24 ? `…${id.slice(-8)}` : id);

/** Reads at most this many pages of threads. Older threads are shown by id. */
const maxPages = 100;

export class Names {
  readonly #threads = new Map<string, Thread>();
  #keys: ReadonlyMap<string, string> = new Map();
  readonly #texts = new Map<string, string>();

  titleOf(threadId: string): string {
    return this.#threads.get(threadId)?.title ?? shortId(threadId);
  }

  agentOf({ threadId, createdBy }: Interaction): string {
    return this.#threads.get(threadId)?.agent ?? this.#keys.get(createdBy.id) ?? shortId(createdBy.id);
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
