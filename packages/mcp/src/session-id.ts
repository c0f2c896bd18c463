/**
 * What a client of an older version declared in `initialize`, over HTTP. Such a client declares it once, and every request
 * stands alone: so the session id carries it. The id is the client's own word about itself, gives no right and needs no
 * signature; any node understands it.
 */
import type { ClientCapabilities } from '@modelcontextprotocol/server';

export const sessionHeader = 'mcp-session-id';
const showsForms = /^forms\.[0-9a-f-]{36}$/;

/** An id for a client that shows forms. Every other client needs none. */
export function sessionIdFor(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { capabilities?: ClientCapabilities } };
  if (method !== 'initialize' || !declaresForms(params?.capabilities)) return undefined;
  return `forms.${crypto.randomUUID()}`;
}

export const isFormsSession = (id: string | null): boolean => id !== null && showsForms.test(id);

/** A client that names no mode is of a version that knew one. */
export function declaresForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
