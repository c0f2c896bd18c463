/** Calls of the playground: preview the request in the editor, read its schema, create it. */
import { type Interaction, isObject, type Problem } from '@holdpoint/protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { consoleFetch, postJson, service, wordsFor } from '../service.ts';
import { lineOf, positionOf, type ReadJson, readJson, type Span } from './json-text.ts';
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

const preview = (dialect: DialectName, body: object, signal: AbortSignal): Promise<Asked> =>
  call('/console/preview', { dialect, body }, signal);

export const ask = (dialect: DialectName, threadId: string, body: object): Promise<Asked> =>
  call('/console/ask', { dialect, threadId, body });

/** The native schemas come from the OpenAPI description, which explains each property. */
export async function loadSchemas(dialect: DialectName): Promise<Schemas> {
  if (dialect !== 'native') return getJson<Schemas>(`/console/schema?${new URLSearchParams({ dialect })}`);
  const { paths, components } = await getJson<Description>('/openapi.json');
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

async function getJson<T>(path: string): Promise<T> {
  const reply = await consoleFetch(path);
  if (!reply.ok) throw new Error(`The server answered with status ${reply.status}.`);
  return (await reply.json()) as T;
}

async function call(path: string, body: object, signal?: AbortSignal): Promise<Asked> {
  const reply = await postJson(path, body, signal ? { signal } : {});
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

/** A problem of the request, with its position in the text. */
export type LocatedProblem = Omit<Problem, 'code'> & ReturnType<typeof lineOf> & Span;

/** Long enough to finish a word. */
const settleMs = 200;

/** The result of checking one text. */
interface Check {
  of: string;
  problems: readonly Omit<Problem, 'code'>[];
}

export function useRequest(dialect: DialectName, text: string) {
  const read = useMemo(() => readJson(text), [text]);
  const body = read.ok && isObject(read.value) ? read.value : undefined;
  const [interaction, setInteraction] = useState<Interaction>();
  const [check, setCheck] = useState<Check>({ of: '', problems: [] });
  const of = `${dialect} ${text}`;
  useEffect(() => {
    if (!body) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const asked = await preview(dialect, body, stop.signal).catch(
        (error: unknown): Asked => ({ ok: false, detail: wordsFor(error), problems: [] }),
      );
      if (stop.signal.aborted) return;
      if (asked.ok) setInteraction(asked.interaction);
      const problems = asked.ok ? [] : asked.problems;
      setCheck({ of, problems: asked.ok || problems.length > 0 ? problems : [{ pointer: '', message: asked.detail }] });
    }, settleMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [of]);
  const problems = useMemo(() => locate(text, read, check), [text, read, check]);
  return {
    read,
    /** Set if the text is a JSON object. */
    body,
    /** The preview. While the text is invalid, that of the last valid text. */
    interaction,
    problems,
    /** True once the server has checked this exact text. */
    isChecked: check.of === of,
  };
}

/** Problems of an earlier text stay as long as their positions exist. */
function locate(text: string, read: ReadJson, { problems }: Check): readonly LocatedProblem[] {
  if (!read.ok) {
    const { message, offset } = read;
    return [{ message, pointer: '', ...lineOf(text, offset), start: offset, end: Math.min(offset + 1, text.length) }];
  }
  if (!isObject(read.value))
    return [{ message: 'A request must be a JSON object.', pointer: '', line: 1, column: 1, start: 0, end: 0 }];
  return problems.map(({ pointer, message }) => {
    const { start, end } = positionOf(read.positions, pointer);
    return { message, pointer, ...lineOf(text, start), start, end };
  });
}
