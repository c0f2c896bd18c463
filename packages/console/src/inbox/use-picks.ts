/** Which approvals are picked to be decided together. Only what is shown is: nothing is approved unseen. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { allowanceOf, type WaitingItem } from './waiting-item.ts';

export interface Picks {
  chosen: readonly WaitingItem[];
  /** How many could be. */
  pickable: number;
  has(id: string): boolean;
  mayPick(id: string): boolean;
  /** As a range: all from the last pick up to this one. */
  toggle(id: string, isRange: boolean): void;
  all(): void;
  clear(): void;
}

export function usePicks(shown: readonly WaitingItem[], me: string, most: number): Picks {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  const known = useRef({ me, pickable: new Map<WaitingItem, boolean>() });
  if (known.current.me !== me) known.current = { me, pickable: new Map() };
  const may = useMemo(() => {
    // Judged once for each version of a question: ten thousand are judged in some 50 ms.
    const { pickable } = known.current;
    const judged = new Map(
      shown.map((item) => [item, pickable.get(item) ?? allowanceOf(item, me) !== undefined] as const),
    );
    for (const [item, isPickable] of judged) pickable.set(item, isPickable);
    return new Set(shown.filter((item) => judged.get(item)).map(({ interaction }) => interaction.id));
  }, [shown, me]);
  const chosen = useMemo(
    () =>
      picked.size === 0 ? [] : shown.filter(({ interaction }) => picked.has(interaction.id) && may.has(interaction.id)),
    [shown, picked, may],
  );
  const idsBetween = (from: string | undefined, to: string): string[] => {
    const ids = shown.map(({ interaction }) => interaction.id);
    const ends = [from === undefined ? -1 : ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return ends[0] < 0 ? [to] : ids.slice(ends[0], ends[1] + 1);
  };
  return {
    chosen,
    pickable: may.size,
    has: (id) => picked.has(id),
    mayPick: (id) => may.has(id),
    toggle(id, isRange) {
      const after = new Set(picked);
      const ids = isRange ? idsBetween(last.current, id) : [id];
      const isOn = isRange || !picked.has(id);
      for (const each of ids.filter((one) => may.has(one)))
        if (!isOn) after.delete(each);
        else if (after.size < most) after.add(each);
      last.current = id;
      setPicked(after);
    },
    all: () => setPicked(new Set([...may].slice(0, most))),
    clear: () => setPicked(new Set()),
  };
}
