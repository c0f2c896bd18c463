/** Looks up the names of threads, requests and keys by id. Each is loaded once. */
import { type Actor, defined, type Interaction, type Thread } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';
import { service } from './service.ts';

/** Enough for any page. Beyond it the oldest entry is dropped. */
const maxKept = 2_000;

function lookUp<T>(load: (id: string) => Promise<T>): (id: string) => Promise<T | undefined> {
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

const threadOf = lookUp<Thread>((threadId) => service.getThread({ threadId }));
const interactionOf = lookUp<Interaction>((interactionId) => service.getInteraction({ interactionId }));

function useLookUp<T>(of: (id: string) => Promise<T | undefined>, id: string | undefined): T | undefined {
  const [found, setFound] = useState<{ id: string; value: T | undefined }>();
  useEffect(() => {
    if (id === undefined) return;
    let isGone = false;
    void of(id).then((value) => isGone || setFound({ id, value }));
    return () => {
      isGone = true;
    };
  }, [id]);
  return found?.id === id ? found?.value : undefined;
}

export const useThread = (id: string | undefined): Thread | undefined => useLookUp(threadOf, id);
/** The state of the first lookup: use its title, not its status. */
export const useInteraction = (id: string | undefined): Interaction | undefined => useLookUp(interactionOf, id);

/** A new key shows its name after at most this time. */
const keysKeptMs = 30_000;
let keys: Promise<ReadonlyMap<string, string>> | undefined;
let keysReadAt = Number.NEGATIVE_INFINITY;

/** Names of API keys by id. */
export async function keyNames(): Promise<ReadonlyMap<string, string>> {
  if (performance.now() - keysReadAt > keysKeptMs) keys = undefined;
  if (!keys) keysReadAt = performance.now();
  keys ??= (async () => {
    const names = new Map<string, string>();
    let cursor: string | undefined;
    do {
      const page = await service.listApiKeys({ limit: 200, ...defined({ cursor: cursor || undefined }) });
      for (const { id, name } of page.data) names.set(id, name);
      cursor = page.next;
    } while (cursor);
    return names;
  })();
  try {
    return await keys;
  } catch (error) {
    keys = undefined;
    throw error;
  }
}

/** Actors are shown by the name of their key. */
export function useActorNames(): (actor: Actor) => string {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let isGone = false;
    keyNames().then(
      (read) => isGone || setNames(read),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, []);
  return ({ id }) => names.get(id) ?? shortId(id);
}

/** The end of a long id, because ids of the same hour begin alike. */
export const shortId = (id: string): string => (id.length > 24 ? `…${id.slice(-8)}` : id);
