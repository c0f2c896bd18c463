/** The box to write a message. It is never disabled, and a message that could not be sent comes back into it. */
import { useRef, useState } from 'preact/hooks';
import type { Strings } from '../strings/strings.ts';

export interface ComposerProps {
  send(text: string): Promise<void>;
  onTyping(): void;
  strings: Strings;
}

/** Reports typing at most this often. */
const typingEveryMs = 1_500;

export function Composer({ send, onTyping, strings }: ComposerProps) {
  const [text, setText] = useState('');
  const [hasFailed, fail] = useState(false);
  const lastTyped = useRef(0);
  const isSending = useRef(false);

  async function submit(): Promise<void> {
    const said = text.trim();
    if (said === '' || isSending.current) return;
    isSending.current = true;
    fail(false);
    setText('');
    try {
      await send(said);
    } catch {
      fail(true);
      // Keeps text that was typed in the meantime, after the message that comes back.
      setText((since) => (since === '' ? said : `${said}\n${since}`));
    }
    isSending.current = false;
  }

  return (
    <form
      class="composer"
      part="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {hasFailed && (
        <p class="problem" role="alert">
          {strings.messageFailed}
        </p>
      )}
      <textarea
        class="control"
        rows={1}
        dir="auto"
        aria-label={strings.writeMessage}
        placeholder={strings.writeMessage}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          if (Date.now() - lastTyped.current < typingEveryMs) return;
          lastTyped.current = Date.now();
          onTyping();
        }}
        onKeyDown={(event) => {
          // Enter while a word is being composed picks the word.
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void submit();
        }}
      />
      <button type="submit" class="button primary">
        {strings.send}
      </button>
    </form>
  );
}
