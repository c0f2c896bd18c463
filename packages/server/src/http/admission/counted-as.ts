/** Names under which the calls of callers and addresses are counted. They contain only verified facts. */
import { isIP } from 'node:net';
import type { Caller } from '../../domain/caller.ts';

/**
 * Counts a session by its thread, because a visitor of a page can claim any `customerId`. Otherwise one visitor could
 * use up the limit of another.
 */
export function countedAs(caller: Caller): string {
  const { orgId } = caller;
  if (caller.kind === 'key') return `key ${orgId} ${caller.keyId}`;
  const { scope, responderId } = caller;
  return 'threadId' in scope && scope.isSession
    ? `session ${orgId} ${scope.threadId}`
    : `person ${orgId} ${responderId}`;
}

/** Returns the address, or the first half of an IPv6 address: the owner of one has all with the same first half. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [, mapped] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (mapped) return mapped;
  const [head = '', tail] = address.split('::');
  const groupsOf = (part = '') => part.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groupsOf(head).length - groupsOf(tail).length;
  return [...groupsOf(head), ...Array<string>(missing).fill('0'), ...groupsOf(tail)].slice(0, 4).join(':');
}
