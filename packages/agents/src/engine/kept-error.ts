/** An error as the journal keeps it: a name and a message, and thrown again as an error with both. */
import { defined, limits, type RunError } from '@holdpoint/protocol';

export interface KeptError {
  name: string;
  message: string;
}

/** Some room for what stands beside it. */
const maxMessage = limits.reasonLength - 100;

export function keepError(error: unknown): KeptError {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return { name: cut(name, limits.idLength), message: cut(message, maxMessage) };
}

/** The cause, where there still is one, is for logs. */
export function throwable(kept: unknown, cause?: unknown): Error {
  const { name, message } = kept as KeptError;
  const error = new Error(message, cause === undefined ? {} : { cause });
  error.name = name;
  return error;
}

export function runError(code: string, error: unknown, call: number | undefined): RunError {
  const { name, message } = keepError(error);
  return { code, message: message || name || 'It failed.', ...defined({ call }) };
}

/** Never in the middle of a character. */
function cut(text: string, length: number): string {
  const characters = [...text.slice(0, 2 * length)];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('');
}
