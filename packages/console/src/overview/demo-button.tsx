/** Begins the demo, and goes to its conversation. */
import { useState } from 'preact/hooks';
import { beginDemo } from '../demo/demo.ts';
import { Icon } from '../parts/icon.tsx';
import { go, href } from '../route.ts';
import { toast } from '../toast.ts';
import { wordsFor } from '../words-for.ts';

export function DemoButton({ isPrimary = false }: { isPrimary?: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const begin = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      go(href('threads', (await beginDemo()).threadId));
    } catch (error) {
      toast(wordsFor(error), 'bad');
      setBusy(false);
    }
  };
  return (
    <button type="button" class={`button ${isPrimary ? 'primary' : ''}`} aria-disabled={isBusy} onClick={begin}>
      <Icon name="agent" />
      {isPrimary ? 'Start the demo' : 'See an agent ask'}
    </button>
  );
}
