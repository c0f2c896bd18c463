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
const showsForms = /^forms\.[0-9a-f-]{36}$/;

/** An id for a client that shows forms. Every other client needs none. */
export function sessionIdFor(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { capabilities?: ClientCapabilities } };
  if (method !== 'initialize' || !declaresForms(params?.capabilities)) return undefined;
  return `forms.${crypto.randomUUID()}`;
}

const isFormsSession = (id: string | null): boolean => id !== null && showsForms.test(id);

/** A client that names no mode is of a version that knew one. */
function declaresForms(capabilities: ClientCapabilities | undefined): boolean {
  const { elicitation } = capabilities ?? {};
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}

export interface ClientPowers {
  /** Shows a form. */
  form: boolean;
  /** Leads to an address. */
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

/** A form that was answered needs no word: the call hears that its question is closed. */
export type FormReply =
  /** The question stays open, and this client does not show it again. */
  | { kind: 'left' }
  /** The question stays open, and is shown again after this sentence. */
  | { kind: 'again'; remark: string };

/** The call may wait on another node than the one that the reply came to. A reply that gets lost costs a longer wait and nothing else. */
export interface FormReplies {
  /** By the id of the state under which the form was sent. */
  publish(id: string, reply: FormReply): void;
  /** Calls the listener with each reply, until the function that it returns is called. */
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

/** What a form may hold in each of them. */
const dialects: Readonly<Record<string, FormDialect>> = { '2025-06-18': 'plain', '2025-11-25': 'titled' };

/** Undefined for a client of another version, and for one that shows no forms. */
export function formChannel(server: Server, { mcpReq, http }: ServerContext): FormChannel | undefined {
  if (mcpReq.envelope !== undefined) return undefined;
  const headers = http?.req?.headers;
  const version = headers ? headers.get('mcp-protocol-version') : server.getNegotiatedProtocolVersion();
  const shows = headers ? isFormsSession(headers.get(sessionHeader)) : declaresForms(server.getClientCapabilities());
  const dialect = shows ? dialects[version ?? ''] : undefined;
  if (!dialect) return undefined;
  return {
    dialect,
    // The SDK would number its requests from 0 with each call, so that nobody could tell whose reply has come.
    send: async (message) => server.transport?.send(message, { relatedRequestId: mcpReq.id }),
  };
}
