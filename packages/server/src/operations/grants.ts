import { fail, type Grant, type Page, type PageRequest, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { authorize, page, pageLimit, perform } from './perform.ts';

export async function listGrants(
  { store }: Context,
  caller: Caller,
  request: PageRequest & { key?: string },
): Promise<Page<Grant>> {
  authorize(caller, 'listGrants');
  return page(await store.listGrants({ ...request, orgId: caller.orgId, limit: pageLimit(request.limit) }));
}

export function revokeGrant(context: Context, caller: Caller, input: { grantId: string } & Write): Promise<Grant> {
  return perform(context, caller, {
    verb: 'revokeGrant',
    input,
    attempt: async () => {
      const grant = await loadGrant(context, caller, input.grantId);
      if (grant.revokedAt) fail('grant-revoked', `It was revoked at ${grant.revokedAt}.`, { current: { ...grant } });
      const at = timestamp(context.clock.now());
      const actor = actorOf(caller);
      const revoked: Grant = { ...grant, revokedAt: at, revokedBy: actor };
      const data = { grant: revoked };
      const event = { type: 'grant.revoked', at, actor, interactionId: grant.interactionId, data } as const;
      return {
        change: { closedGrant: revoked, log: { threadId: grant.threadId, events: [event] } },
        resource: { type: 'grant', id: grant.id },
        result: revoked,
      };
    },
    reload: (id) => loadGrant(context, caller, id),
  });
}

async function loadGrant({ store }: Context, { orgId }: Caller, id: string): Promise<Grant> {
  return (await store.getGrant({ orgId, id })) ?? fail('grant-not-found', `There is no grant ${id}.`);
}
