/** Short notices about the result of an action. They disappear after six seconds. */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface Toast {
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

const dismissToast = (id: number): void => show(shown.filter((each) => each.id !== id));

export function toast(text: string, tone: Toast['tone'] = 'plain'): void {
  made += 1;
  const id = made;
  show([...shown, { id, text, tone }].slice(-3));
  setTimeout(() => dismissToast(id), shownMs);
}

/** Always in the page, because screen readers announce only changes of a region that exists already. */
export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => {
    listeners.add(setToasts);
    return () => void listeners.delete(setToasts);
  }, []);
  return (
    <div class="toasts" role="status">
      {toasts.map(({ id, text, tone }) => (
        <div key={id} class={`toast ${tone}`}>
          <Icon name={tone === 'bad' ? 'warning' : 'done'} />
          <span>{text}</span>
          <button type="button" class="icon-button" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
