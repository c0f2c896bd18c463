/** Creates a thread, and changes its title, its agent, its metadata and whether it is archived. */
import { type Actor, type Fault, jsonEqual, type Thread, type UpdateThread } from '@holdpoint/protocol';
import type { NewEvent } from './command.ts';
import { timestamp, versionConflict } from './state.ts';

/** Returns the change that creates a thread. */
export function newThread(
  given: Pick<Thread, 'id' | 'title' | 'agent' | 'metadata'>,
  { by, now }: { by: Actor; now: number },
): { newThread: Thread; log: { threadId: string; events: [NewEvent] } } {
  const { id, ...more } = given;
  const at = timestamp(now);
  const thread: Thread = { id, version: 1, ...more, createdBy: by, createdAt: at, updatedAt: at };
  const event: NewEvent = { type: 'thread.created', at, actor: by, data: { thread } };
  return { newThread: thread, log: { threadId: id, events: [event] } };
}

const changeable = ['title', 'agent', 'metadata', 'archivedAt'] as const;

/** Returns undefined if the thread has all these values already. */
export function updateThread(
  before: Thread,
  { expectedVersion = before.version, title, agent, metadata, isArchived }: UpdateThread,
  { by, now }: { by: Actor; now: number },
): { thread: Thread; event: NewEvent } | Fault | undefined {
  if (expectedVersion !== before.version) {
    const { id, version, updatedAt } = before;
    return versionConflict(expectedVersion, { id, version, updatedAt });
  }
  const at = timestamp(now);
  const archivedAt = isArchived === undefined ? undefined : isArchived ? (before.archivedAt ?? at) : null;
  const asked = { title, agent, metadata, archivedAt };
  const changed = changeable.filter(
    (name) => asked[name] !== undefined && !jsonEqual(asked[name], before[name] ?? null),
  );
  if (changed.length === 0) return undefined;
  const was = Object.fromEntries(changed.map((name) => [name, before[name] ?? null]));
  const set = Object.fromEntries(changed.map((name) => [name, asked[name]]));
  const patched = Object.entries({ ...before, ...set, version: before.version + 1, updatedAt: at });
  const thread = Object.fromEntries(patched.filter(([, value]) => value !== null)) as Thread;
  return { thread, event: { type: 'thread.updated', at, actor: by, data: { thread, was } } };
}
