/** What a client has said that it can do, as far as asking its user goes. Only clients of 2026-07-28 say so with each request. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { declaresForms } from '../session-id.ts';

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
