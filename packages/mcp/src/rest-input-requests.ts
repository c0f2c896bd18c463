/** Calls the five verbs over HTTP. */
import { defined, type ErrorCode, errorTable, HoldpointError } from '@holdpoint/protocol';
import type { InputRequestPlace, InputRequests } from './input-requests.ts';
import type { Refusal } from './mcp-caller.ts';

const timeoutMs = 60_000;

export function restInputRequests({ url, key }: { url: string; key: string }): InputRequests {
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
    const told: unknown = await response.json().catch(() => undefined);
    if (response.ok) return told as T;
    throw asError(response.status, told);
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

/** The error of the server, or of a proxy that answered for it. */
function asError(status: number, told: unknown): HoldpointError {
  const { error, input_request } = (told ?? {}) as Partial<Refusal>;
  if (!error || !(error.code in errorTable))
    return new HoldpointError({ code: 'internal', detail: `The server answered with status ${status}.` });
  return new HoldpointError({
    code: error.code as ErrorCode,
    detail: error.message,
    ...defined({ problems: error.details, current: input_request === undefined ? undefined : { input_request } }),
  });
}
