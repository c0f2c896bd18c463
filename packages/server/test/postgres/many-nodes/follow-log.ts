/** Follows the log of an org from its first event. After each lost connection it continues after its last event. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LogEvent } from '@holdpoint/protocol';
import type { Client } from '../../client.ts';
import { EventReader } from '../../http/events/event-reader.ts';

/** The thread whose making ends it. */
export const endThread = 'end';

export interface Followed {
  events: LogEvent[];
  connections: number;
}

/** Asks before each connection which node to connect to. */
export async function followLog(nextNode: (connection: number) => Client | Promise<Client>): Promise<Followed> {
  const events: LogEvent[] = [];
  let lastId: string | undefined;
  for (let connections = 1; ; connections++) {
    const node = await nextNode(connections);
    const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
    try {
      const reader = await EventReader.open(node, '/v1/events?after=start', headers);
      while (true) {
        const [event] = (await reader.take(1)) as [LogEvent];
        lastId = event.cursor;
        if (event.threadId === endThread) {
          await reader.close();
          return { events, connections };
        }
        events.push(event);
      }
    } catch (error) {
      // A cursor that is refused, for one, is no matter of the connection.
      if (/→ (?!503)/.test(`${error}`)) throw error;
      await pause(20);
    }
  }
}
