import { fail, type Grant, type Write } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { loadGrant } from './load.ts';
import { perform } from './perform.ts';

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
