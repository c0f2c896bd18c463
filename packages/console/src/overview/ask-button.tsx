/** Asks a question as an agent would, so that there is one to answer. */
import { useState } from 'preact/hooks';
import { go, href } from '../route.ts';
import { service } from '../service.ts';
import { toast } from '../toast.ts';
import { wordsFor } from '../words-for.ts';

export function AskButton({ isPrimary }: { isPrimary: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { id: threadId } = await service.createThread({ title: 'A first question' });
      const { id } = await service.createInteraction({
        threadId,
        title: 'Deploy 4.2 to production?',
        body: 'All checks have passed. 25 % of the traffic goes to it at first.',
        kind: 'approval',
        arguments: { version: '4.2', percent: 25 },
      });
      go(href('inbox', id));
    } catch (error) {
      toast(wordsFor(error), 'bad');
      setBusy(false);
    }
  };
  return (
    <button type="button" class={`button ${isPrimary ? 'primary' : ''}`} aria-disabled={isBusy} onClick={ask}>
      Ask a question by hand
    </button>
  );
}
