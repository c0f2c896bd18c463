/** The quick questions of a visitor's conversation. */
import { useState } from 'preact/hooks';
import type { Strings } from '../strings/strings.ts';

interface QuickQuestionsProps {
  questions: readonly string[];
  send(text: string): Promise<void>;
  strings: Strings;
}

export function QuickQuestions({ questions, send, strings }: QuickQuestionsProps) {
  const [hasFailed, fail] = useState(false);
  const [isSending, setSending] = useState(false);
  async function pick(text: string): Promise<void> {
    if (isSending) return;
    setSending(true);
    fail(false);
    await send(text).catch(() => fail(true));
    setSending(false);
  }
  return (
    <div class="quick">
      {hasFailed && (
        <p class="problem" role="alert">
          {strings.messageFailed}
        </p>
      )}
      {questions.map((text) => (
        <button
          type="button"
          class="button"
          key={text}
          aria-disabled={isSending || undefined}
          onClick={() => void pick(text)}
        >
          <bdi>{text}</bdi>
        </button>
      ))}
    </div>
  );
}
