/** The approvals that are selected for a bulk decision. Only visible rows count: nothing is approved unseen. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { allowanceOf, type WaitingItem } from './pending-items.ts';

export interface Picks {
  chosen: readonly WaitingItem[];
  /** The number of rows that can be selected. */
  pickable: number;
  has(id: string): boolean;
  mayPick(id: string): boolean;
  /** isRange: selects all rows from the last selected one to this one. */
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
    // Evaluated once per version of a request: ten thousand take about 50 ms.
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
