/** Changing a thread: its title, its agent, its metadata, and whether it is archived. */
import { type Actor, type Fault, jsonEqual, type Thread, type UpdateThread } from '@holdpoint/protocol';
import type { NewEvent } from './command.ts';
import { timestamp, versionConflict } from './state.ts';

const changeable = ['title', 'agent', 'metadata', 'archivedAt'] as const;

export interface UpdatedThread {
  thread: Thread;
  event: NewEvent;
}

/** Undefined where it is all that already. */
export function updateThread(
  before: Thread,
  { expectedVersion = before.version, title, agent, metadata, isArchived }: UpdateThread,
  { by, now }: { by: Actor; now: number },
): UpdatedThread | Fault | undefined {
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
