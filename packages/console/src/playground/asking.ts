/** Calls of the playground: preview a request, read its schema, create it. */
import type { Interaction, Problem } from '@holdpoint/protocol';
import { consoleFetch, postJson, service } from '../service.ts';
import type { Schema, Schemas } from './key-help.tsx';

export const dialectWords = {
  native: 'Holdpoint',
  'chat-requests': 'Chat requests',
  'input-requests': 'Input requests',
  'agent-service': 'Agent Service',
  mcp: 'MCP tool',
} as const;

export type DialectName = keyof typeof dialectWords;

export const isDialect = (name: string | null): name is DialectName =>
  name !== null && Object.hasOwn(dialectWords, name);

/** The created request, or the problems of the body. */
export type Asked =
  | { ok: true; interaction: Interaction }
  | { ok: false; detail: string; problems: readonly Problem[] };

export const preview = (dialect: DialectName, body: object, signal: AbortSignal): Promise<Asked> =>
  call('/console/preview', { dialect, body }, signal);

export const ask = (dialect: DialectName, threadId: string, body: object): Promise<Asked> =>
  call('/console/ask', { dialect, threadId, body });

/** The native schemas come from the OpenAPI description, which explains each property. */
export async function loadSchemas(dialect: DialectName): Promise<Schemas> {
  if (dialect !== 'native') return readJson<Schemas>(`/console/schema?${new URLSearchParams({ dialect })}`);
  const { paths, components } = await readJson<Description>('/openapi.json');
  const { schema } = paths['/v1/threads/{threadId}/interactions'].post.requestBody.content['application/json'];
  return { body: schema, named: components.schemas };
}

interface Description {
  paths: Record<
    '/v1/threads/{threadId}/interactions',
    { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }
  >;
  components: { schemas: Record<string, Schema> };
}

async function readJson<T>(path: string): Promise<T> {
  const reply = await consoleFetch(path);
  if (!reply.ok) throw new Error(`The server answered with status ${reply.status}.`);
  return (await reply.json()) as T;
}

async function call(path: string, body: object, signal?: AbortSignal): Promise<Asked> {
  const reply = await postJson(path, body, signal);
  const answer = (await reply.json()) as { interaction: Interaction; detail?: string; errors?: Problem[] };
  if (reply.ok) return { ok: true, interaction: answer.interaction };
  const { detail = `The server answered with status ${reply.status}.`, errors = [] } = answer;
  return { ok: false, detail, problems: errors };
}

const storedAs = 'holdpoint-playground-thread';

/** All requests share one thread, except in dialects where a repeated call returns the first request. */
export async function threadFor(dialect: DialectName): Promise<string> {
  const isRemembered = dialect === 'input-requests' || dialect === 'mcp';
  const known = isRemembered ? null : localStorage.getItem(storedAs);
  if (known !== null) {
    const found = await service.getThread({ threadId: known }).catch(() => undefined);
    if (found) return found.id;
  }
  const { id } = await service.createThread({ title: 'Playground' });
  if (!isRemembered) localStorage.setItem(storedAs, id);
  return id;
}
