/** Keyboard control of the inbox list. Focus and scroll position survive changes of the list. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTaken, isTyping } from '../frame/shortcuts.tsx';
import { useEvents } from '../load.ts';

export interface ListKeys {
  /** isRange (with Shift): selects all rows from the last selected one to this one. */
  onPick(id: string, isRange: boolean): void;
  /** Called with the focused row. The selection, if there is one, comes first. */
  onApprove(id: string | undefined): void;
  onBack(): void;
}

/** Keys: j and k move, x selects, a approves, Esc goes back. The list itself handles arrows and Enter. */
export function useListKeys(box: RefObject<HTMLElement | null>, keys: ListKeys): void {
  useEvents<KeyboardEvent>(window, ['keydown'], (event) => {
    if (isTaken(event)) return;
    const [target] = event.composedPath() as HTMLElement[];
    if (event.key === 'Escape') {
      // Esc leaves the search for the list, and the request for its list. A select keeps Esc for itself.
      if (target?.matches?.('input[type="search"]')) target.blur();
      else if (!target?.matches?.('select')) keys.onBack();
      return event.preventDefault();
    }
    const list = box.current?.querySelector<HTMLElement>('.virtual-list');
    const act = actions[event.key];
    if (isTyping(event) || !list || !act) return;
    event.preventDefault();
    act({ list, event, keys });
  });
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
    // Without a focused row, starts at the open one or at the first visible one.
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

/** Rows above the visible ones come and go. The visible rows and the focus must stay where they are. */
export function useKeepPlace(box: RefObject<HTMLElement | null>, ids: readonly string[], rowHeight: number): void {
  const before = useRef<readonly string[]>(ids);
  const focused = useRef<string | undefined>(undefined);
  // Taken before the render, because a browser scrolls a list that gets shorter.
  const scrolled = useRef(0);
  useLayoutEffect(() => {
    const leaving = new AbortController();
    const on = (type: 'focusin' | 'focusout' | 'scroll', note: (event: FocusEvent) => void) =>
      box.current?.addEventListener(type, note as (event: Event) => void, { signal: leaving.signal, capture: true });
    on('focusin', ({ target }) => {
      focused.current = (target as HTMLElement).closest<HTMLElement>('.inbox-row')?.dataset.id;
    });
    // Without a relatedTarget the focus left the page, or its row was removed.
    on('focusout', ({ relatedTarget }) => {
      if (relatedTarget) focused.current = undefined;
    });
    on('scroll', ({ target }) => {
      scrolled.current = (target as HTMLElement).scrollTop;
    });
    return () => leaving.abort();
  }, []);
  useLayoutEffect(() => {
    const list = box.current?.querySelector<HTMLElement>('.virtual-list');
    const was = before.current;
    before.current = ids;
    if (!list || was === ids) return;
    const top = Math.floor(scrolled.current / rowHeight);
    const anchor = was[top];
    const now = anchor === undefined ? -1 : ids.indexOf(anchor);
    if (top > 0 && now >= 0) list.scrollTop = scrolled.current + (now - top) * rowHeight;
    scrolled.current = list.scrollTop;
    const lost = focused.current;
    if (lost === undefined || document.activeElement !== document.body || ids.includes(lost)) return;
    const next = Math.min(was.indexOf(lost), ids.length - 1);
    list.querySelector<HTMLElement>(`[data-index="${next}"] a`)?.focus({ preventScroll: true });
  }, [ids]);
}
