/** Copies a text, and says that it did. */
import { useEffect, useState } from 'preact/hooks';
import { copyText } from '../copy-text.ts';
import { toast } from '../toast.ts';
import { Icon } from './icon.tsx';

interface CopyButtonProps {
  text: string;
  /** What is copied, such as "the key". */
  what: string;
  /** Shown beside the picture. */
  label?: string;
}

export function CopyButton({ text, what, label }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), 2_000);
    return () => clearTimeout(timer);
  }, [isDone]);
  const copy = async () => {
    try {
      await copyText(text);
      setDone(true);
      toast(`Copied ${what}.`);
    } catch {
      toast(`The browser did not let us copy ${what}. Select the text and copy it.`, 'bad');
    }
  };
  return (
    <button
      type="button"
      class={label ? 'button small' : 'icon-button'}
      aria-label={label ? undefined : `Copy ${what}`}
      onClick={copy}
    >
      <Icon name={isDone ? 'done' : 'copy'} />
      {label}
    </button>
  );
}
