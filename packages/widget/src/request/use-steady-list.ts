/**
 * Keeps a list still while the person's pointer or focus is in it: a closed request keeps its place, and a new one
 * comes last. Otherwise the next request would slide under the pointer, and a double click would answer both.
 */
import type { Interaction } from '@holdpoint/protocol';
import { useCallback, useRef, useState } from 'preact/hooks';
import { byUrgency } from '../connection/thread-feed.ts';

interface Situation {
  isEngaged: boolean;
  /** Reports whether the person began to answer this request. It then stays until they dismiss it. */
  isBegun(id: string): boolean;
}

export function steadyList(
  before: readonly Interaction[],
  pending: readonly Interaction[],
  { isEngaged, isBegun }: Situation,
): readonly Interaction[] {
  const now = new Map(pending.map((one) => [one.id, one]));
  const kept = before.filter(({ id }) => now.has(id) || isEngaged || isBegun(id)).map((one) => now.get(one.id) ?? one);
  const known = new Set(kept.map(({ id }) => id));
  const all = [...kept, ...pending.filter(({ id }) => !known.has(id))];
  return isEngaged ? all : all.sort(byUrgency);
}

export function useSteadyList<E extends HTMLElement>(pending: readonly Interaction[]) {
  const [, redraw] = useState(0);
  const box = useRef<E>(null);
  const begun = useRef(new Set<string>()).current;
  const shown = useRef<readonly Interaction[]>([]);
  // After a finger is lifted, the browser reports :hover at its place until the next touch.
  const engaged = () => box.current?.matches(':hover, :focus-within') ?? false;
  const isEngaged = engaged();
  shown.current = steadyList(shown.current, pending, { isEngaged, isBegun: (id) => begun.has(id) });
  const ids = new Set(pending.map(({ id }) => id));
  // Waits, because the focus may be moving to the element that replaced the focused one.
  const onLeave = useCallback(() => setTimeout(() => engaged() || redraw((count) => count + 1)), []);
  return {
    items: shown.current,
    isEngaged,
    isGone: ({ id }: Interaction) => !ids.has(id),
    isBegun: ({ id }: Interaction) => begun.has(id),
    setBegun: useCallback((id: string, isBegun: boolean) => {
      if (isBegun) begun.add(id);
      else begun.delete(id);
      redraw((count) => count + 1);
    }, []),
    /** Attributes of the element around the list. */
    attributes: { ref: box, onPointerLeave: onLeave, onFocusOut: onLeave },
  };
}
