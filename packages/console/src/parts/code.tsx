/** Text to copy: a button, and a code block. */
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { toast } from './toasts.tsx';

/** `navigator.clipboard` is undefined in a page that another machine served over plain HTTP. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const take = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
  };
  document.addEventListener('copy', take, { once: true });
  const isCopied = document.execCommand('copy');
  document.removeEventListener('copy', take);
  if (!isCopied) throw new Error('Could not copy.');
}

interface CopyButtonProps {
  text: string;
  /** The name of the text, such as "the key". */
  what: string;
  /** Shown next to the icon. */
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
      toast(`Could not copy ${what}. Select the text and copy it.`, 'bad');
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

export function Code({ text, what = 'the code' }: { text: string; what?: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="region" aria-label={`Text of ${what}`}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
