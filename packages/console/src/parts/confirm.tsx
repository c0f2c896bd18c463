/** Asks before something is done that cannot be undone, in words that say what. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { wordsFor } from '../words-for.ts';
import { Dialog } from './dialog.tsx';

interface ConfirmProps {
  title: string;
  /** The button that does it. */
  verb: string;
  children: ComponentChildren;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  isDanger?: boolean;
}

export function Confirm({ title, verb, children, onConfirm, onClose, isDanger = true }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState('');
  const confirm = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setFault(wordsFor(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">{children}</div>
      {fault && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
      <div class="actions">
        <button
          type="button"
          class={`button ${isDanger ? 'danger' : 'primary'}`}
          aria-disabled={isBusy}
          onClick={confirm}
        >
          {verb}
        </button>
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}
