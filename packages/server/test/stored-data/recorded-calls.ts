/** Calls under a key: the request, and the response to a repeat by the version that made them. */

export interface Call {
  token: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** The parts of a response that stay the same if a later version adds to it. */
export interface Outcome {
  status: number;
  /** The resource that the response is about. */
  id?: string;
  /** The error, if the call failed. */
  code?: string;
}

export interface RecordedCall extends Call {
  repeated: Outcome;
}

type Json = Record<string, unknown>;

export async function send(url: string, { token, path, method = 'POST', headers = {}, body }: Call) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const sent = await response.text();
  // MCP answers with one event, whose data is the JSON.
  const text = /^data: (\{.*)$/m.exec(sent)?.[1] ?? sent;
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as Json };
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value);

/** Finds the id of the resource, in the native API and in the dialects. */
const idPaths = [
  'id',
  'data.interactionId',
  'input_request.id',
  'reply.executionId',
  'result.structuredContent.interaction_id',
  'interaction.toolCallId',
];
const codePaths = ['code', 'error.code'];

export function outcomeOf({ status, body }: { status: number; body: Json }): Outcome {
  const first = (paths: string[]) => paths.map((path) => at(body, path)).find((value) => typeof value === 'string');
  const id = first(idPaths) as string | undefined;
  const code = status < 400 ? undefined : (first(codePaths) as string | undefined);
  return { status, ...(id === undefined ? {} : { id }), ...(code === undefined ? {} : { code }) };
}
