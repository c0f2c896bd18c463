import type { Actor, Interaction } from '@holdpoint/protocol';

/** Of a caller, what decides in whose name it answers. */
export interface Answering {
  kind: string;
  role?: string;
  keyId?: string;
}

/**
 * A response does not say who gives it. A person's token and an agent's key stand for themselves; an admin's key, which may
 * answer for others, stands for whoever was asked.
 */
export function inNameOf(caller: Answering, { responder }: Interaction): { responder?: Actor } {
  if (caller.kind !== 'key' || caller.role !== 'admin') return {};
  return { responder: { type: responder.type === 'any' ? 'human' : responder.type, id: `key:${caller.keyId}` } };
}
