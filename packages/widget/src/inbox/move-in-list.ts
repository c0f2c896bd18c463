/** The keys of the inbox. They work only while a line of the list has the focus. */
interface Place {
  list: HTMLElement | null;
  /** Called before moving to the end, because not all lines may be rendered. */
  drawAll(): void;
}

const steps: Record<string, number> = {
  ...{ ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 },
  ...{ Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY },
};

export function moveInList(event: KeyboardEvent, { list, drawAll }: Place): void {
  const { key, target, ctrlKey, metaKey, altKey, currentTarget } = event;
  if (!list || ctrlKey || metaKey || altKey) return;
  const head = (target as Element).closest('.inbox-line')?.querySelector<HTMLElement>('.inbox-title');
  if (key === 'Escape') closeAround(event);
  if (!head) return;
  const step = steps[key];
  if (step !== undefined) {
    event.preventDefault();
    const go = () => {
      const heads = [...list.querySelectorAll<HTMLElement>('button.inbox-title')];
      heads[Math.max(0, Math.min(heads.length - 1, heads.indexOf(head) + step))]?.focus();
    };
    go();
    if (key !== 'End') return;
    // The last line may have been rendered just now.
    drawAll();
    setTimeout(go);
  } else if (key === 'x') {
    event.preventDefault();
    head.closest('.inbox-line')?.querySelector('input')?.click();
  } else if (key === '/') {
    event.preventDefault();
    (currentTarget as Element).querySelector<HTMLElement>('input[type=search]')?.focus();
  }
}

/** Closes an open question and moves the focus to its line. */
function closeAround(event: KeyboardEvent): void {
  const head = (event.target as Element)
    .closest('.stack-item')
    ?.querySelector<HTMLElement>('.inbox-title[aria-expanded=true]');
  if (!head) return;
  event.stopPropagation();
  head.click();
  head.focus();
}
