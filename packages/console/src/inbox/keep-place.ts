/** Lines come and go above what one reads: what is in sight stays in sight, and the focus stays where it was. */
import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function useKeepPlace(box: RefObject<HTMLElement | null>, ids: readonly string[], rowHeight: number): void {
  const before = useRef<readonly string[]>(ids);
  const focused = useRef<string | undefined>(undefined);
  // As it was before the list was drawn anew: a list that has become shorter is scrolled by the browser.
  const scrolled = useRef(0);
  useLayoutEffect(() => {
    const element = box.current;
    const note = ({ target }: FocusEvent) => {
      focused.current = (target as HTMLElement).closest<HTMLElement>('.inbox-row')?.dataset.id;
    };
    // Without somewhere to go to the focus has left the page, or its line is gone.
    const forget = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget) focused.current = undefined;
    };
    const follow = ({ target }: Event) => {
      scrolled.current = (target as HTMLElement).scrollTop;
    };
    element?.addEventListener('focusin', note);
    element?.addEventListener('focusout', forget);
    element?.addEventListener('scroll', follow, true);
    return () => {
      element?.removeEventListener('scroll', follow, true);
      element?.removeEventListener('focusin', note);
      element?.removeEventListener('focusout', forget);
    };
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
