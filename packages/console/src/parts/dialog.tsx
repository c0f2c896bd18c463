/** Modal dialogs. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { Icon } from './icon.tsx';
import { Toasts } from './toasts.tsx';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  class?: string;
}

/** The browser's modal dialog: it keeps the focus, Esc closes it, and closing it restores the focus. */
export function Dialog({ title, onClose, children, class: given = '' }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    // Focuses the first input instead of the close button.
    dialog?.querySelector<HTMLElement>('input:not([type="radio"], [type="checkbox"]), textarea')?.focus();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={box}
      class={`dialog ${given}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // The target is the dialog itself only outside its content.
      onMouseDown={(event) => event.target === box.current && onClose()}
      onKeyDown={() => {}}
    >
      <div class="dialog-box">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="icon-button" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
      {/* While the dialog is open, screen readers cannot reach the region of the page. */}
      <Toasts />
    </dialog>
  );
}

interface ConfirmProps {
  title: string;
  /** The label of the confirming button. */
  verb: string;
  /** The label of the other button, where “Cancel” would be ambiguous. */
  dismiss?: string;
  children: ComponentChildren;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  isDanger?: boolean;
}

/** Asks for confirmation before an action. */
export function Confirm({
  title,
  verb,
  dismiss = 'Cancel',
  children,
  onConfirm,
  onClose,
  isDanger = true,
}: ConfirmProps) {
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
          {dismiss}
        </button>
      </div>
    </Dialog>
  );
}
