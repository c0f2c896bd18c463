/** The region in which outcomes are said. It is there before anything is said in it, so that it is read out. */
import { useEffect, useState } from 'preact/hooks';
import { dismissToast, onToasts, type Toast } from '../toast.ts';
import { Icon } from './icon.tsx';

export function Toasts() {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  useEffect(() => onToasts(setToasts), []);
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
