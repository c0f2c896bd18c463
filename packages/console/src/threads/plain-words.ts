/** What was written or answered as words of one line: no marks of Markdown, no JSON of a file. */
import type { Message } from '@holdpoint/protocol';

/** More is never shown in a line. */
const maxLength = 1_000;

/** The words of a message; undefined where there is only something to look at. */
export function wordsOf({ blocks }: Message): string | undefined {
  const texts = blocks.flatMap(({ payload }) => {
    const title = typeof payload.title === 'string' ? `${payload.title}. ` : '';
    const text = typeof payload.text === 'string' ? payload.text.slice(0, maxLength) : '';
    const words = title + (payload.format === 'markdown' ? withoutMarks(text) : text);
    return words.trim() ? [words] : [];
  });
  return texts.join(' ').replaceAll(/\s+/g, ' ').trim() || undefined;
}

/** Good enough for a line that is cut off anyhow: what it leaves is read, not parsed. */
export function withoutMarks(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(?:(?:#{1,6}|[-*+]|\d+[.)]) +|> ?|```\w*|~~~\w*)/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*\*|\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])/g, '$2');
}

/** A value of a field. */
export function wordsOfValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(wordsOfValue).join(', ') || 'none';
  if (isFile(value)) return value.name;
  return JSON.stringify(value);
}

const isFile = (value: unknown): value is { file_id: string; name: string } =>
  typeof value === 'object' && value !== null && 'file_id' in value && 'name' in value;
