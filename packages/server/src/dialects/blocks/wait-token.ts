/** What a reply waits for, as one word: a question, which closes once, or the next message. */
export type Awaited = { interactionId: string } | { afterSeq: number };

export const toWaitToken = (awaited: Awaited): string =>
  'interactionId' in awaited ? `question.${awaited.interactionId}` : `message.${awaited.afterSeq}`;

export function readWaitToken(token: string): Awaited | undefined {
  const [, type, rest = ''] = /^(question|message)\.(.{1,256})$/s.exec(token) ?? [];
  if (type === 'question') return { interactionId: rest };
  return type === 'message' && /^\d{1,15}$/.test(rest) ? { afterSeq: Number(rest) } : undefined;
}
