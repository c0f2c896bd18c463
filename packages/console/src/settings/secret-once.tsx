/** Something secret that is shown this once, and has to be copied before one goes on. */
import type { ComponentChildren } from 'preact';
import { CopyButton } from '../parts/copy-button.tsx';

interface SecretOnceProps {
  secret: string;
  what: string;
  onDone(): void;
  children: ComponentChildren;
}

export function SecretOnce({ secret, what, onDone, children }: SecretOnceProps) {
  return (
    <>
      <div class="dialog-text">{children}</div>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} label={`Copy ${what}`} />
      </div>
      <p class="note warn">It is shown this once. Keep it where your other secrets are.</p>
      <div class="actions">
        <button type="button" class="button primary" onClick={onDone}>
          I have kept it
        </button>
      </div>
    </>
  );
}
