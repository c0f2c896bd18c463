/** A dialog of the browser: it holds the focus, Esc closes it, and the focus goes back to where it was. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { Toasts } from './toasts.tsx';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  class?: string;
}

export function Dialog({ title, onClose, children, class: given = '' }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = box.current;
    dialog?.showModal();
    // Rather what is to be filled in than the button that closes it.
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
      // On the dialog itself means: outside of what it holds.
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
      {/* The region of the page is out of reach as long as this is open. */}
      <Toasts />
    </dialog>
  );
}
