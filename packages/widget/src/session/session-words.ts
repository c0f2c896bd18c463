/** The texts that only visitors see, in the languages of the widget. */
export const english = {
  unavailable: 'This conversation is currently unavailable.',
  /** The agent's turn ended with a failure. */
  failed: 'Something went wrong. Try again.',
  /** A card without a title asks something. */
  untitled: 'Please choose',
};

/** By language, except English. */
export const sessionWords: Readonly<Record<string, typeof english>> = {
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
