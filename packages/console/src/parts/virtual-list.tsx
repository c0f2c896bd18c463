/** A list of any length that renders only visible rows. Arrows, Home and End move the focus. */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface VirtualListProps<T> {
  items: readonly T[];
  /** All rows have this height. */
  rowHeight: number;
  label: string;
  keyOf(item: T): string;
  /** Arrow keys move between the first link or button of each row. */
  render(item: T, index: number): ComponentChildren;
  /** Called near the end of the list, to load more. */
  onEnd?(): void;
  class?: string;
}

const spare = 6;

export function VirtualList<T>(props: VirtualListProps<T>) {
  const { items, rowHeight, label, keyOf, render, onEnd } = props;
  const box = useRef<HTMLUListElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const wanted = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => setView({ top: element.scrollTop, height: element.clientHeight });
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const first = Math.max(0, Math.min(Math.floor(view.top / rowHeight), items.length - 1) - spare);
  const last = Math.min(items.length, Math.ceil((view.top + view.height) / rowHeight) + spare);
  useEffect(() => {
    if (last >= items.length - spare) onEnd?.();
  }, [last, items.length]);
  // The row that gets the focus may not be rendered yet.
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    row.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true });
  });
  const moveTo = (index: number) => {
    const element = box.current;
    if (!element || items.length === 0) return;
    const to = Math.max(0, Math.min(items.length - 1, index));
    const top = to * rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight - element.clientHeight;
    wanted.current = to;
    setView({ top: element.scrollTop, height: element.clientHeight });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = (event.target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset.index;
    if (at === undefined || (event.target as HTMLElement).closest('input, select, textarea')) return;
    const steps: Record<string, number> = {
      ArrowDown: Number(at) + 1,
      ArrowUp: Number(at) - 1,
      Home: 0,
      End: items.length - 1,
      PageDown: Number(at) + Math.floor(view.height / rowHeight),
      PageUp: Number(at) - Math.floor(view.height / rowHeight),
    };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    moveTo(to);
  };
  return (
    <ul
      ref={box}
      class={`virtual-list ${props.class ?? ''}`}
      aria-label={label}
      onScroll={({ currentTarget: { scrollTop, clientHeight } }) => setView({ top: scrollTop, height: clientHeight })}
      onKeyDown={onKeyDown}
    >
      {items.slice(first, last).map((item, offset) => (
        <li
          key={keyOf(item)}
          data-index={first + offset}
          aria-setsize={items.length}
          aria-posinset={first + offset + 1}
          style={{
            height: `${rowHeight}px`,
            // Space for the rows that are not rendered.
            marginTop: offset === 0 ? `${first * rowHeight}px` : '',
            marginBottom: first + offset === last - 1 ? `${(items.length - last) * rowHeight}px` : '',
          }}
        >
          {render(item, first + offset)}
        </li>
      ))}
    </ul>
  );
}
