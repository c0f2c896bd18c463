/** The keys of the inbox: j and k walk, x picks, a approves, Esc steps back. Arrows and Enter are the list's own. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface ListKeys {
  /** With shift: all from the last pick up to here. */
  onPick(id: string, isRange: boolean): void;
  /** What is picked, or else the line one is at. */
  onApprove(id: string | undefined): void;
  onBack(): void;
}

export function useListKeys(box: RefObject<HTMLElement | null>, keys: ListKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector('dialog[open]')) return;
      const [target] = event.composedPath() as HTMLElement[];
      if (event.key === 'Escape') return stepBack(event, target, () => latest.current.onBack());
      if (target?.matches?.('input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable]'))
        return;
      const list = box.current?.querySelector<HTMLElement>('.virtual-list');
      if (!list) return;
      const act = actions[event.key];
      if (!act) return;
      event.preventDefault();
      act({ list, event, keys: latest.current });
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Out of the search into the list, out of the form to its list; in a form, Esc is left to its own controls. */
function stepBack(event: KeyboardEvent, target: HTMLElement | undefined, back: () => void): void {
  if (target?.matches?.('input[type="search"]')) target.blur();
  else if (!target?.matches?.('select')) back();
  event.preventDefault();
}

interface Pressed {
  list: HTMLElement;
  event: KeyboardEvent;
  keys: ListKeys;
}

const walk =
  (key: 'ArrowDown' | 'ArrowUp') =>
  ({ list }: Pressed) => {
    const link = rowAt(list)?.querySelector<HTMLElement>('a');
    // From elsewhere one comes to the line that is open, or to the first in sight.
    if (!link || !list.contains(document.activeElement)) (link ?? firstInSight(list))?.focus();
    else link.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };

const pick = ({ list, event, keys }: Pressed) => {
  const id = idAt(list);
  if (id) keys.onPick(id, event.shiftKey);
};

const actions: Record<string, (pressed: Pressed) => void> = {
  j: walk('ArrowDown'),
  k: walk('ArrowUp'),
  x: pick,
  X: pick,
  a: ({ list, keys }) => keys.onApprove(idAt(list)),
};

const rowAt = (list: HTMLElement): HTMLElement | null =>
  document.activeElement && list.contains(document.activeElement)
    ? document.activeElement.closest<HTMLElement>('.inbox-row')
    : list.querySelector<HTMLElement>('.inbox-row.is-open');

const idAt = (list: HTMLElement): string | undefined => rowAt(list)?.dataset.id;

function firstInSight(list: HTMLElement): HTMLElement | undefined {
  const top = list.getBoundingClientRect().top;
  return [...list.querySelectorAll<HTMLElement>('.inbox-row a')].find(
    (row) => row.getBoundingClientRect().top >= top - 1,
  );
}
