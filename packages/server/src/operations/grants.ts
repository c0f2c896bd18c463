import { fail, type Grant } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context, Operation } from './context.ts';
import { adminEvent } from './people/admin-log.ts';
import { page, pageLimit, perform } from './perform.ts';

export const listGrants: Operation<'listGrants'> = async ({ store }, { orgId }, request) =>
  page(await store.listGrants({ ...request, orgId, limit: pageLimit(request.limit) }));

export const revokeGrant: Operation<'revokeGrant'> = (context, caller, input) =>
  perform(context, caller, {
    verb: 'revokeGrant',
    input,
    attempt: async () => {
      const grant = await loadGrant(context, caller, input.grantId);
      const { id, threadId, interactionId, revokedAt } = grant;
      if (revokedAt) fail('grant-revoked', `The grant was revoked at ${revokedAt}.`, { current: { ...grant } });
      const at = timestamp(context.clock.now());
      const actor = actorOf(caller);
      const revoked: Grant = { ...grant, revokedAt: at, revokedBy: actor };
      const event = { type: 'grant.revoked', at, actor, interactionId, data: { grant: revoked } } as const;
      const recorded = adminEvent(context, actor, {
        type: 'grant.revoked',
        subject: { type: 'grant', id, name: grant.key },
        data: { threadId, interactionId },
      });
      return {
        change: { closedGrant: revoked, documents: [recorded], log: { threadId, events: [event] } },
        resource: { type: 'grant', id },
        result: revoked,
      };
    },
    reload: (id) => loadGrant(context, caller, id),
  });

async function loadGrant({ store }: Context, { orgId }: Caller, id: string): Promise<Grant> {
  return (await store.getGrant({ orgId, id })) ?? fail('grant-not-found', `There is no grant ${id}.`);
}
