/** Reads whole logs, lists and streams, page by page, for tests that compare them. */
import type { Interaction, LogEvent } from '@holdpoint/protocol';
import type { Client } from './client.ts';

interface Page<T> {
  data: T[];
  next?: string;
}

async function readPages<T>(client: Client, path: string, cursorName: string): Promise<T[]> {
  const all: T[] = [];
  let cursor = '';
  while (true) {
    const { status, body } = await client.get<Page<T>>(`${path}limit=200${cursor}`);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    all.push(...body.data);
    if (body.next === undefined) return all;
    cursor = `&${cursorName}=${body.next}`;
  }
}

export const readLog = (client: Client, threadId: string): Promise<LogEvent[]> =>
  readPages(client, `/v1/threads/${threadId}/log?`, 'after');

export const listInteractions = (client: Client, filter = ''): Promise<Interaction[]> =>
  readPages(client, `/v1/interactions?${filter}${filter ? '&' : ''}`, 'cursor');

/** Follows the org's log until the stream ends or the reader has enough. */
export async function* followEvents(client: Client, after: string, signal?: AbortSignal): AsyncGenerator<LogEvent> {
  const response = await fetch(`${client.url}/v1/events?after=${after}`, {
    headers: { authorization: `Bearer ${client.token}` },
    ...(signal ? { signal } : {}),
  });
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (text + chunk).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data !== undefined) yield JSON.parse(data) as LogEvent;
    }
  }
}
