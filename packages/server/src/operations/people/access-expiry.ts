/** Deletes sessions, sign-in links, revocations and what is used once after their time. They are invalid by then; this only frees their space. */
import type { TimerChange } from '../../stores/store.ts';
import type { FireTimer } from '../context.ts';

type Expiring = 'session' | 'sign-in-link' | 'revoked-token' | 'provider-session' | 'used-once' | 'used-challenge';

/** The timer of a document. Without a time it is removed. */
export const expiryTimer = (type: Expiring, id: string, dueAt: number | null): TimerChange => ({
  kind: 'access',
  id: `${type} ${id}`,
  dueAt,
});

export const expireAccess: FireTimer = async ({ store }, { orgId, id: timerId }) => {
  const [, type = '', id = ''] = /^(\S+) (.*)$/s.exec(timerId) ?? [];
  const found = await store.getDocument({ orgId, type: type as Expiring, id });
  await store.commit({
    orgId,
    ...(found ? { documents: [{ type: type as Expiring, id, record: null, expected: found.revision }] } : {}),
    timers: [expiryTimer(type as Expiring, id, null)],
  });
};
