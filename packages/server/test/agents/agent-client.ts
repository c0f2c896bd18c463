/** What the tests of agents do again and again: begin a thread, wait for the turn, answer what is asked. */
import type { Interaction, JournalEntry, Message, Page, Run, Thread, Turn } from '@holdpoint/protocol';
import type { Client } from '../client.ts';

type Caller = Pick<Client, 'get' | 'post'>;

export async function startThread(client: Caller, agent: string, message = 'Go'): Promise<string> {
  const { body } = await client.post<Thread>('/v1/threads', { agent });
  await client.post(`/v1/threads/${body.id}/messages`, { text: message, role: 'user' });
  return body.id;
}

/** Resolves when the run rests. */
export async function settled(client: Caller, threadId: string): Promise<Run> {
  for (;;) {
    const { body } = await client.get<Turn>(`/v1/threads/${threadId}/turn`);
    if (body.isSettled && body.run) return body.run;
  }
}

export const pendingOf = async (client: Caller, threadId: string): Promise<Interaction[]> =>
  (await client.get<Page<Interaction>>(`/v1/interactions?threadId=${threadId}&status=pending`)).body.data;

export const answer = (client: Caller, { id }: Pick<Interaction, 'id'>, values: object) =>
  client.post<Interaction>(`/v1/interactions/${id}/answers`, { values });

export const journalOf = async (client: Caller, { id }: Pick<Run, 'id'>): Promise<JournalEntry[]> =>
  (await client.get<Page<JournalEntry>>(`/v1/runs/${id}/journal?limit=200`)).body.data;

export async function saidIn(client: Caller, threadId: string): Promise<unknown[]> {
  const { body } = await client.get<Page<Message>>(`/v1/threads/${threadId}/messages`);
  return body.data.filter(({ role }) => role === 'agent').map(({ blocks }) => blocks[0]?.payload.text);
}
