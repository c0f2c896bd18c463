/** Revokes responder tokens. A token is stored nowhere, so the server stores which tokens are no longer valid. */
import { fail, limits } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context, Operation } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { perform } from '../perform.ts';
import { expiryTimer } from './access-expiry.ts';
import { adminEvent } from './admin-log.ts';
import { hashOfSecret } from './session-tokens.ts';

export const revokeResponderTokens: Operation<'revokeResponderTokens'> = (context, caller, input) =>
  perform<Record<never, never>>(context, caller, {
    verb: 'revokeResponderTokens',
    input,
    attempt: async () => {
      const { token, responderId } = input;
      if ((token === undefined) === (responderId === undefined))
        throw invalidInput([{ pointer: '/token', code: 'one-of', message: 'Give either token or responderId.' }]);
      const holder = token === undefined ? undefined : await context.tokens.verify(token);
      if (token !== undefined && holder?.orgId !== caller.orgId)
        fail('unauthenticated', 'The token is invalid, has expired, or was revoked.');
      const id = token === undefined ? `responder ${responderId}` : `token ${hashOfSecret(token)}`;
      const { orgId } = caller;
      const before = await context.store.getDocument({ orgId, type: 'revoked-token', id });
      const now = context.clock.now();
      const subject = {
        type: 'responder',
        id: responderId ?? (holder?.kind === 'responder' ? holder.responderId : ''),
      };
      return {
        change: {
          documents: [
            { type: 'revoked-token', id, record: { at: timestamp(now) }, expected: before?.revision ?? null },
            adminEvent(context, actorOf(caller), { type: 'tokens.revoked', subject }),
          ],
          // No token lives longer than this.
          timers: [expiryTimer('revoked-token', id, now + limits.responderTokenSeconds * 1000)],
        },
        resource: { type: 'org', id: orgId },
        result: {},
      };
    },
    reload: async () => ({}),
  });

/** Reports whether this token, or every token of its responder that is as old, was revoked. */
export async function isRevoked(
  { store }: { store: Pick<Context['store'], 'getDocument'> },
  { orgId, responderId, token, issuedAt }: { orgId: string; responderId: string; token: string; issuedAt: number },
): Promise<boolean> {
  const read = (id: string) => store.getDocument({ orgId, type: 'revoked-token', id });
  const [one, all] = await Promise.all([read(`token ${hashOfSecret(token)}`), read(`responder ${responderId}`)]);
  return one !== undefined || (all !== undefined && issuedAt <= Date.parse(all.record.at));
}
