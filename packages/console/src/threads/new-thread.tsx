/** Opens a thread: a title, and an agent that is handed what is said in it, if one is to be. */
import { defined } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Field } from '../parts/field.tsx';
import { go, href } from '../route.ts';
import { service } from '../service.ts';
import { wordsFor } from '../words-for.ts';

export function NewThread({ onClose }: { onClose(): void }) {
  const [title, setTitle] = useState('');
  const [agent, setAgent] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const create = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      const { id } = await service.createThread({
        ...defined({ title: title.trim() || undefined, agent: agent.trim() || undefined }),
        idempotencyKey: newKey(),
      });
      go(href('threads', id));
    } catch (error) {
      setFault(wordsFor(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title="New thread" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Field
          label="Title"
          hint="What it is about, such as “Release 4.2”."
          maxLength={1_000}
          value={title}
          onValue={setTitle}
        />
        <Field
          label="Agent"
          hint="Whose workers are handed what is said and answered here. Leave it empty where you ask from your own code."
          maxLength={255}
          value={agent}
          onValue={setAgent}
        />
        {fault && (
          <p class="fault" role="alert">
            {fault}
          </p>
        )}
        <div class="actions">
          <button type="submit" class="button primary" aria-disabled={isBusy || undefined}>
            Create thread
          </button>
          <button type="button" class="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
