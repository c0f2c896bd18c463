/** Sends forms to a client and receives the replies, by session. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type JSONRPCMessage,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { FormDialect } from './elicited-form.ts';

export const sessionHeader = 'mcp-session-id';

/** An id for a client that shows forms. Every other client needs none. */
export function sessionIdFor(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { capabilities?: ClientCapabilities } };
  if (method !== 'initialize' || !declaresForms(params?.capabilities)) return undefined;
  return `forms.${crypto.randomUUID()}`;
}

/** A client that names no mode has a version with forms only. */
function declaresForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

export interface ClientPowers {
  /** Shows a form. */
  form: boolean;
  /** Opens an address. */
  url: boolean;
  /** Takes a task in place of a result. */
  tasks: boolean;
}

export const tasksExtension = 'io.modelcontextprotocol/tasks';

export function clientPowers({ mcpReq: { envelope } }: ServerContext): ClientPowers {
  const said = envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined;
  const { elicitation, extensions } = said?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
  return {
    form: declaresForms(said?.[CLIENT_CAPABILITIES_META_KEY]),
    url: elicitation?.url !== undefined,
    tasks: extensions?.[tasksExtension] !== undefined,
  };
}

/** The effect of a reply that did not close the question. A call sees a closed question by itself. */
export type FormReply =
  /** The question stays pending. This client does not show it again. */
  | { kind: 'left' }
  /** The question stays pending. This client shows it again, below this sentence. */
  | { kind: 'again'; remark: string };

/** Passes replies to the waiting call, which may run on another node. A lost reply only makes the wait longer. */
export interface FormReplies {
  /** `id` is the id of the state with which the form was sent. */
  publish(id: string, reply: FormReply): void;
  /** Calls the listener with each reply. The returned function ends this. */
  listen(id: string, listener: (reply: FormReply) => void): () => void;
}

/** Replies within one process. */
export function formReplies(): FormReplies {
  const listeners = new Map<string, (reply: FormReply) => void>();
  return {
    publish: (id, reply) => listeners.get(id)?.(reply),
    listen(id, listener) {
      listeners.set(id, listener);
      return () => listeners.delete(id);
    },
  };
}

/** The connection to the client of one call. */
export interface FormChannel {
  dialect: FormDialect;
  send(message: JSONRPCMessage): Promise<void>;
}

/** The forms that each version shows. */
const dialects: Readonly<Record<string, FormDialect>> = { '2025-06-18': 'plain', '2025-11-25': 'titled' };

/** Returns undefined for clients of other versions and for clients without forms. */
export function formChannel(server: Server, { mcpReq, http }: ServerContext): FormChannel | undefined {
  if (mcpReq.envelope !== undefined) return undefined;
  const headers = http?.req?.headers;
  const version = headers ? headers.get('mcp-protocol-version') : server.getNegotiatedProtocolVersion();
  const shows = headers
    ? /^forms\.[0-9a-f-]{36}$/.test(headers.get(sessionHeader) ?? '')
    : declaresForms(server.getClientCapabilities());
  const dialect = shows ? dialects[version ?? ''] : undefined;
  if (!dialect) return undefined;
  return {
    dialect,
    // The SDK would number its requests from 0 in each call, so that replies would be ambiguous.
    send: async (message) => server.transport?.send(message, { relatedRequestId: mcpReq.id }),
  };
}
