/** What waits for an answer: the oldest first, a line for each. */

import type { HoldpointService, Interaction } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import type { Paint } from '../paint.ts';
import { awaited, oneLine, span } from '../shown.ts';

export interface PendingFilter {
  threadId?: string;
  assignee?: string;
}

export async function* pendingOf(service: HoldpointService, filter: PendingFilter): AsyncGenerator<Interaction> {
  for (let cursor: string | undefined; ; ) {
    const page = {
      status: 'pending',
      order: 'oldest',
      limit: 100,
      ...filter,
      ...defined({ cursor }),
    } as const;
    const { data, next } = await service.listInteractions(page);
    yield* data;
    if (next === undefined) return;
    cursor = next;
  }
}

export function pendingLine(interaction: Interaction, paint: Paint, now: number): string {
  const { id, kind, title, createdAt, deadline } = interaction;
  const ends = deadline ? paint.warn(`, ${span(Date.parse(deadline.at) - now)} left`) : '';
  const about = `${kind}, ${span(now - Date.parse(createdAt))} old, for ${awaited(interaction)}`;
  return `${paint.bold(oneLine(title))}\n   ${paint.dim(`${id}  ${about}`)}${ends}`;
}
