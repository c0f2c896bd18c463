/** What things are called, looked up once each: threads, questions and keys that a line names by their id. */

import type { Actor, Interaction, Thread } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';
import { service } from './service.ts';

/** Enough for any page; then the oldest is forgotten. */
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
/** As it was when it was first looked up: for what it is called, not for how it stands. */
export const useInteraction = (id: string | undefined): Interaction | undefined => useLookUp(interactionOf, id);

/** A key that is made meanwhile is known a little later. */
const keysKeptMs = 30_000;
let keys: Promise<ReadonlyMap<string, string>> | undefined;
let keysReadAt = Number.NEGATIVE_INFINITY;

/** Names of keys by their ids. */
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

/** Whoever acts with a key is called by the name of the key. */
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

/** Enough of a long id to tell it from its neighbours: those of the same hour begin alike. */
export const shortId = (id: string): string => (id.length > 24 ? `…${id.slice(-8)}` : id);
