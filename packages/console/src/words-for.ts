/** An error in words that somebody can act on. */
import { HoldpointError } from '@holdpoint/protocol';

export function wordsFor(error: unknown): string {
  if (error instanceof HoldpointError) return error.fault.detail;
  // What fetch throws where nobody answers, in the words of the browser.
  if (error instanceof TypeError) return 'The server cannot be reached. Is it running?';
  return error instanceof Error ? error.message : String(error);
}
