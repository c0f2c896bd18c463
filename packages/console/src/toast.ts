/** What came of something one did: said once in a region that is read out, and gone after a while. */
export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'bad';
}

const shownMs = 6_000;
let shown: readonly Toast[] = [];
let made = 0;
const listeners = new Set<(toasts: readonly Toast[]) => void>();

function show(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener(shown);
}

export const dismissToast = (id: number): void => show(shown.filter((each) => each.id !== id));

export function toast(text: string, tone: Toast['tone'] = 'plain'): void {
  made += 1;
  const id = made;
  show([...shown, { id, text, tone }].slice(-3));
  setTimeout(() => dismissToast(id), shownMs);
}

export function onToasts(listener: (toasts: readonly Toast[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
