/** Modal dialogs: any content, a confirmation, and a secret that is shown once. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { wordsFor } from '../service.ts';
import { Button, useAction } from './button.tsx';
import { CopyButton } from './code.tsx';
import { Icon } from './icon.tsx';
import { Toasts, toast } from './toasts.tsx';

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
  /** The notice after the action. */
  done?: string;
  /** Called after the action. */
  onDone?(): void;
  onClose(): void;
  isDanger?: boolean;
}

/** Asks for confirmation before an action. */
export function Confirm(props: ConfirmProps) {
  const { title, verb, dismiss = 'Cancel', children, onConfirm, done, onDone, onClose, isDanger = true } = props;
  const [fault, setFault] = useState('');
  const [confirm, isBusy] = useAction(
    async () => {
      await onConfirm();
      if (done) toast(done);
      onDone?.();
      onClose();
    },
    (error) => setFault(wordsFor(error)),
  );
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">{children}</div>
      <Fault text={fault} />
      <div class="actions">
        <Button text={verb} look={isDanger ? 'danger' : 'primary'} isOff={isBusy} onClick={confirm} />
        <Button text={dismiss} onClick={onClose} />
      </div>
    </Dialog>
  );
}

/** The error of a whole dialog or form. */
export const Fault = ({ text }: { text: string | undefined }) =>
  text ? (
    <p class="fault" role="alert" tabIndex={-1}>
      {text}
    </p>
  ) : null;

interface SecretDialogProps {
  title: string;
  /** The name of the secret, such as "the key". */
  what: string;
  secret: string | undefined;
  onClose(): void;
  children: ComponentChildren;
}

/** Shows a secret once. The user must copy it before going on. */
export function SecretDialog({ title, what, secret = '', onClose, children }: SecretDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="dialog-text">
        <p>{children}</p>
      </div>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} label={`Copy ${what}`} />
      </div>
      <p class="note warn">You cannot see it again. Store it where you keep your other secrets.</p>
      <div class="actions">
        <Button text="Done" look="primary" onClick={onClose} />
      </div>
    </Dialog>
  );
}
