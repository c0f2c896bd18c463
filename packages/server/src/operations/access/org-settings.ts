/** The settings of an org: the lowest assurance of its approvals. */
import { type Assurance, defined, jsonEqual, type OrgSettings } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import type { Document } from '../../stores/documents.ts';
import type { Store } from '../../stores/store.ts';
import type { Context, Operation } from '../context.ts';
import { adminEvent } from '../people/admin-log.ts';
import { save } from '../perform.ts';

const defaults: OrgSettings = { approvalAssurance: 'any' };

const load = ({ store }: Pick<Context, 'store'>, orgId: string): Promise<Document<'settings'> | undefined> =>
  store.getDocument({ orgId, type: 'settings', id: 'org' });

export const getOrgSettings: Operation<'getOrgSettings'> = async (context, { orgId }) => ({
  ...defaults,
  ...(await load(context, orgId))?.record,
});

export const updateOrgSettings: Operation<'updateOrgSettings'> = async (context, caller, update) => {
  const { orgId } = caller;
  const settings = await save<OrgSettings>(context, caller, async () => {
    const before = await load(context, orgId);
    const current = { ...defaults, ...before?.record };
    const record = { ...current, ...defined({ approvalAssurance: update.approvalAssurance }) };
    if (jsonEqual(record, current)) return { change: {}, result: current };
    const event = adminEvent(context, actorOf(caller), {
      type: 'settings.updated',
      subject: { type: 'org', id: orgId },
      data: { changed: { ...update } },
    });
    const expected = before?.revision ?? null;
    return { change: { documents: [{ type: 'settings', id: 'org', record, expected }, event] }, result: record };
  });
  known.get(context.store)?.delete(orgId);
  return settings;
};

/** All nodes apply a new minimum within this time. */
const cacheMs = 1_000;
const cacheSize = 10_000;
const known = new WeakMap<Store, Map<string, { assurance: Assurance; until: number }>>();

/** Returns the lowest assurance of new approvals. Known for a second, so that most approvals cost no look-up. */
export async function approvalMinimum(context: Pick<Context, 'store' | 'clock'>, orgId: string): Promise<Assurance> {
  const { store, clock } = context;
  const now = clock.now();
  const ofStore = known.get(store) ?? new Map<string, { assurance: Assurance; until: number }>();
  known.set(store, ofStore);
  const found = ofStore.get(orgId);
  if (found && found.until > now && found.until <= now + cacheMs) return found.assurance;
  const assurance = (await load(context, orgId))?.record.approvalAssurance ?? 'any';
  const [oldest = ''] = ofStore.keys();
  if (ofStore.size >= cacheSize) ofStore.delete(oldest);
  ofStore.set(orgId, { assurance, until: now + cacheMs });
  return assurance;
}
