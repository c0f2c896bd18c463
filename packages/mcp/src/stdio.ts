/** The MCP server on standard input and output, in front of a remote Holdpoint server. */
import { createHash, randomBytes } from 'node:crypto';
import {
  defined,
  type ErrorCode,
  errorTable,
  HoldpointError,
  type HoldpointService,
  onFault,
} from '@holdpoint/protocol';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { formReplies } from './ask-human/form-channel.ts';
import { type RequestStates, requestStates } from './ask-human/request-states.ts';
import { isRpcReply, takeReply } from './ask-human/sent-form.ts';
import type { InputRequestPlace, InputRequests } from './input-requests.ts';
import type { McpCaller, Refusal } from './mcp-caller.ts';
import { mcpServerFactory } from './mcp-server.ts';
import type { ToolSet } from './tools.ts';

export interface StdioOptions {
  url: string;
  key: string;
  /** The verbs of that server, called with this key. */
  service: HoldpointService;
  sets: readonly ToolSet[];
  onError(error: unknown): void;
}

export function serveMcpOverStdio(options: StdioOptions): { close(): Promise<void> } {
  const caller = callerAt(options);
  const { sets, onError } = options;
  const transport = new StdioServerTransport();
  const factory = mcpServerFactory({ callerOf: () => caller, setsFor: () => sets, onError });
  const served = serveStdio(factory, { transport, onerror: onError });
  const passOn = transport.onmessage;
  transport.onmessage = (message) => {
    if (isRpcReply(message)) void takeReply(caller, message).catch(onError);
    else passOn?.(message);
  };
  return served;
}

/** The only caller of the connection. The secret of its states and the list of used states end with this process. */
function callerAt({ url, key, service }: StdioOptions): McpCaller {
  const states = requestStates({ secret: randomBytes(32), boundTo: [], now: Date.now, use: usedHere() });
  let role: Promise<boolean> | undefined;
  return {
    requests: restInputRequests({ url, key }),
    service,
    states,
    replies: formReplies(),
    // The server checks the key in each call.
    isStillAdmitted: async () => true,
    mark: createHash('sha256').update(key).digest('hex').slice(0, 32),
    mayAnswerForPeople() {
      // Only an admin key may list keys.
      const list = async () => Boolean(await service.listApiKeys({ limit: 1 }));
      role ??= onFault('forbidden', list, () => false).catch((error: unknown) => {
        role = undefined;
        throw error;
      });
      return role;
    },
    publicUrl: url,
  };
}

/** Marks states as used, and forgets expired ones. */
function usedHere(): RequestStates['use'] {
  const used = new Map<string, number>();
  return async ({ id, expiresAt }) => {
    for (const [old, until] of used) if (until <= Date.now()) used.delete(old);
    if (used.has(id)) return false;
    used.set(id, expiresAt);
    return true;
  };
}

/** Limits each call of the server. */
const timeoutMs = 60_000;

/** Calls the five verbs of input requests over HTTP. */
function restInputRequests({ url, key }: { url: string; key: string }): InputRequests {
  const base = url.replace(/\/+$/, '');

  async function call<T>(path: string, body?: object): Promise<T> {
    const response = await fetch(base + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        ...defined({ 'content-type': body ? 'application/json' : undefined }),
      },
      ...defined({ body: body ? JSON.stringify(body) : undefined }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new HoldpointError({ code: 'busy', detail: `The server at ${base} cannot be reached.` }, { cause });
    });
    const result: unknown = await response.json().catch(() => undefined);
    if (response.ok) return result as T;
    throw asError(response.status, result);
  }

  const listPath = (conversation: string) => `/conversations/${encodeURIComponent(conversation)}/input-requests`;
  const pathOf = ({ conversation_id, input_request_id }: InputRequestPlace) =>
    `${listPath(conversation_id)}/${encodeURIComponent(input_request_id)}`;

  return {
    create: ({ conversation_id, ...body }) => call(listPath(conversation_id), body),
    list: ({ conversation_id, ...query }) => {
      const given = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
      return call(`${listPath(conversation_id)}?${new URLSearchParams(given)}`);
    },
    get: (place) => call(pathOf(place)),
    submit: ({ values, ...place }) => call(`${pathOf(place)}/responses`, { values }),
    cancel: (place) => call(`${pathOf(place)}/cancel`, {}),
  };
}

/** Reads the error of the server, or of a proxy in front of it. */
function asError(status: number, body: unknown): HoldpointError {
  const { error, input_request } = (body ?? {}) as Partial<Refusal>;
  if (!error || !(error.code in errorTable))
    return new HoldpointError({ code: 'internal', detail: `The server answered with status ${status}.` });
  return new HoldpointError({
    code: error.code as ErrorCode,
    detail: error.message,
    ...defined({ problems: error.details, current: input_request === undefined ? undefined : { input_request } }),
  });
}
