/** What went wrong, in sentences for the person at the terminal: what was refused and why, and what to do about it. */
import { HoldpointError } from '@holdpoint/protocol';
import { ConfigError } from '../config.ts';
import { oneLine } from './shown.ts';

/** Something that the person at the terminal can read as it is. */
class Failure extends Error {
  override name = 'Failure';
}

/** What a command throws in the place of what was thrown at it. A mistake of the caller stays one. */
export const failure = (error: unknown, url: string): Error =>
  error instanceof ConfigError ? error : new Failure(explainFailure(error, url), { cause: error });

function explainFailure(error: unknown, url: string): string {
  if (!(error instanceof HoldpointError)) return error instanceof Error ? error.message : String(error);
  const { code, detail, problems = [] } = error.fault;
  const told = problems.map(({ pointer, message }) => `  ${oneLine(`${pointer || 'the request'}: ${message}`)}`);
  const what = oneLine(hintOf(error, url) ?? detail);
  return [what, ...(code === 'idempotency-key-reused' ? [reused] : []), ...told].join('\n');
}

const reused = 'An idempotency key belongs to one question, word for word: ask as before, or take another key.';

function hintOf({ code, fault: { detail }, cause }: HoldpointError, url: string): string | undefined {
  if (code === 'unauthenticated')
    return `${detail} The server at ${url} does not know this key: look at HOLDPOINT_API_KEY, or make one with "holdpoint keys create".`;
  if (!isRefused(cause)) return undefined;
  const { hostname, port } = new URL(url);
  const isHere = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  const start = `holdpoint serve${port === '' || port === '7400' ? '' : ` --port ${port}`}`;
  return `nothing answers at ${url}. ${isHere ? `Start the server with "${start}", or say` : 'Say'} where it is with --url or HOLDPOINT_URL.`;
}

/** Refused, unknown or out of reach: as fetch wraps it. */
function isRefused(cause: unknown): boolean {
  for (let inner = cause; inner instanceof Error; inner = inner.cause) {
    const { code } = inner as NodeJS.ErrnoException;
    if (code !== undefined && /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(code)) return true;
    if (inner instanceof AggregateError && inner.errors.some(isRefused)) return true;
  }
  return false;
}
