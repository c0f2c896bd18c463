/** The parts of a conversation that only visitors see, and their words in each language. */
import { useState } from 'preact/hooks';
import type { Strings } from '../strings/strings.ts';

export interface SessionWords {
  unavailable: string;
  /** The agent's turn ended with a failure. */
  failed: string;
  /** A card without a title asks something. */
  untitled: string;
}

export const english: SessionWords = {
  unavailable: 'This conversation is currently unavailable.',
  failed: 'Something went wrong. Try again.',
  untitled: 'Please choose',
};

/** By language, except English. */
export const sessionWords: Readonly<Record<string, SessionWords>> = {
  de: {
    unavailable: 'Diese Unterhaltung ist im Moment nicht verfügbar.',
    failed: 'Etwas ist schiefgegangen. Bitte versuchen Sie es noch einmal.',
    untitled: 'Bitte wählen Sie',
  },
  es: {
    unavailable: 'Esta conversación no está disponible en este momento.',
    failed: 'Algo ha fallado. Inténtelo de nuevo.',
    untitled: 'Elija una opción',
  },
  fr: {
    unavailable: 'Cette conversation n’est pas disponible pour le moment.',
    failed: 'Une erreur s’est produite. Veuillez réessayer.',
    untitled: 'Veuillez choisir',
  },
  ja: {
    unavailable: 'この会話は現在ご利用いただけません。',
    failed: '問題が発生しました。もう一度お試しください。',
    untitled: '選択してください',
  },
  zh: { unavailable: '此对话暂时无法使用。', failed: '出了点问题，请重试。', untitled: '请选择' },
  ar: {
    unavailable: 'هذه المحادثة غير متاحة حاليًا.',
    failed: 'حدث خطأ ما. يُرجى المحاولة مرة أخرى.',
    untitled: 'يُرجى الاختيار',
  },
};

export const SessionHeading = ({ title, isHidden }: { title: string; isHidden: boolean }) => (
  <h2 class={isHidden ? 'visually-hidden' : 'session-title'} dir="auto">
    {title}
  </h2>
);

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
