/** The approvals that are selected for a bulk decision. Only visible rows count: nothing is approved unseen. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { allowanceOf, type PendingItem } from './pending-items.ts';

/** `most`: the largest number of selected rows. */
export function usePicks(shown: readonly PendingItem[], me: string, most: number) {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  // `approvalOf` remembers its result for each version of a request. Otherwise ten thousand would take about 50 ms.
  const may = useMemo(
    () => new Set(shown.filter((item) => allowanceOf(item, me)).map(({ interaction }) => interaction.id)),
    [shown, me],
  );
  const chosen = useMemo(
    () =>
      picked.size === 0 ? [] : shown.filter(({ interaction }) => picked.has(interaction.id) && may.has(interaction.id)),
    [shown, picked, may],
  );
  const idsBetween = (from: string | undefined, to: string): string[] => {
    const ids = shown.map(({ interaction }) => interaction.id);
    const start = from === undefined ? -1 : ids.indexOf(from);
    const end = ids.indexOf(to);
    return Math.min(start, end) < 0 ? [to] : ids.slice(Math.min(start, end), Math.max(start, end) + 1);
  };
  return {
    chosen,
    /** The number of rows that can be selected. */
    pickable: may.size,
    has: (id: string) => picked.has(id),
    mayPick: (id: string) => may.has(id),
    /** isRange: selects all rows from the last selected one to this one. */
    toggle(id: string, isRange: boolean) {
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
