/** The demo: an agent that asks, begun by one click, and killed by another. */
import type { Thread } from '@holdpoint/protocol';
import { consoleFetch, service } from '../service.ts';

export interface Demo {
  isOn: boolean;
  /** killed: it comes back by itself. */
  state: 'off' | 'starting' | 'running' | 'killed';
  /** The conversation of the one that was begun last. */
  threadId?: string;
  /** The process of its agent. */
  pid?: number;
}

/** The demo tells each of its threads where it was opened; another agent of this name does not. */
export const isOfDemo = ({ agent, metadata }: Thread): boolean =>
  agent === 'release-manager' && typeof metadata?.origin === 'string';

/** A server without one has no such path. */
export async function loadDemo(): Promise<Demo> {
  const reply = await consoleFetch('/console/demo');
  return reply.ok ? ((await reply.json()) as Demo) : { isOn: false, state: 'off' };
}

export const beginDemo = (): Promise<{ threadId: string }> => send('/console/demo', 'The demo could not be started.');

export const killAgent = (): Promise<Demo> => send('/console/demo/kill', 'The agent could not be killed.');

/** What one leaves behind asks no more. */
export async function leaveDemo(threadId: string): Promise<void> {
  const { data } = await service.listRuns({ threadId, limit: 20 });
  for (const { id, endedAt } of data)
    if (endedAt === undefined) await service.cancelRun({ runId: id, reason: 'The demo was started over.' });
}

async function send<T>(path: string, fault: string): Promise<T> {
  const reply = await consoleFetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (reply.ok) return (await reply.json()) as T;
  const { detail } = (await reply.json().catch(() => ({}))) as { detail?: string };
  throw new Error(detail ?? fault);
}
