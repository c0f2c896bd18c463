import { type Actor, type CreatedOrg, fail, limits } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import { systemActor, timestamp } from '../../domain/state.ts';
import type { Context, Operation } from '../context.ts';
import { adminEvent } from '../people/admin-log.ts';
import { perform } from '../perform.ts';
import { keyEvent, newApiKey } from './api-keys.ts';

/** The org of the people who run this server. It always exists, and its admins may create others. */
export const operatorOrg = 'default';

export const createOrg: Operation<'createOrg'> = (context, caller, input) =>
  perform<CreatedOrg>(context, caller, {
    verb: 'createOrg',
    input,
    attempt: async () => {
      if (caller.orgId !== operatorOrg) fail('forbidden', `Only an admin of the org ${operatorOrg} can create orgs.`);
      const { id } = input;
      if (id === operatorOrg || (await context.store.getOrg({ id })))
        fail('org-exists', `The org ${id} already exists.`, { current: { id } });
      const createdAt = timestamp(context.clock.now());
      const { secret, stored } = firstKey(context, id, actorOf(caller));
      const created = adminEvent(context, actorOf(caller), {
        type: 'org.created',
        subject: { type: 'org', id },
        data: { keyId: stored.record.id },
      });
      return {
        change: {
          newOrg: { id, createdAt },
          newApiKey: stored,
          documents: [created],
        },
        resource: { type: 'org', id },
        result: { id, createdAt, adminKey: { ...stored.record, secret } },
      };
    },
    reload: async (id) => (await context.store.getOrg({ id })) ?? fail('internal', 'The org no longer exists.'),
  });

const firstKey = (context: Context, orgId: string, createdBy: Actor) =>
  newApiKey(context, { orgId, name: 'first admin key', role: 'admin', createdBy });

/** Creates an admin key in the operator's org if it has none that works. Returns undefined if it has one. */
export async function firstAdminKey(context: Context): Promise<string | undefined> {
  const { items } = await context.store.listApiKeys({ orgId: operatorOrg, limit: limits.pageSize });
  if (items.some(({ role, revokedAt }) => role === 'admin' && revokedAt === undefined)) return undefined;
  const by = systemActor('holdpoint');
  const { secret, stored } = firstKey(context, operatorOrg, by);
  const created = keyEvent(context, by, 'key.created', stored.record, { role: 'admin' });
  await context.store.commit({ orgId: operatorOrg, newApiKey: stored, documents: [created] });
  return secret;
}
