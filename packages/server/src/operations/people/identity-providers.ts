/** Identity providers of an org: those of the configuration, which only its operator changes, and those of the API. */
import {
  type CreateIdentityProvider,
  fail,
  type IdentityProvider,
  jsonEqual,
  limits,
  type Problem,
} from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import {
  changedSettings,
  checkProvider,
  providerPath,
  type StoredProvider,
  shownProvider,
  updatedProvider,
} from '../../domain/people/identity-provider.ts';
import { checkName } from '../../domain/people/update-person.ts';
import { timestamp } from '../../domain/state.ts';
import type { Document } from '../../stores/documents.ts';
import { operatorOrg } from '../access/orgs.ts';
import type { Context, Operation, OwnedProvider } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { page, pageLimit, perform, save } from '../perform.ts';
import { adminEvent } from './admin-log.ts';

type Tools = Pick<Context, 'store' | 'identityProviders'>;

const configuredOf = ({ identityProviders }: Tools, orgId: string): readonly StoredProvider[] =>
  orgId === operatorOrg ? identityProviders.configured : [];

/** Returns a provider with its secret, to sign in with it. */
export async function findProvider(tools: Tools, orgId: string, id: string): Promise<OwnedProvider | undefined> {
  const configured = configuredOf(tools, orgId).find((provider) => provider.id === id);
  const settings = configured ?? (await tools.store.getDocument({ orgId, type: 'identity-provider', id }))?.record;
  return settings && { orgId, settings, mayBePrivate: orgId === operatorOrg };
}

/** The public part of a provider, shown on the sign-in page. */
export interface OfferedProvider {
  id: string;
  name: string;
  contact?: string;
}

/** Lists the providers that the sign-in page offers: those of the operator's org. */
export async function offeredProviders(tools: Tools, orgId: string): Promise<OfferedProvider[]> {
  const stored = await allStored(tools, orgId);
  return [...configuredOf(tools, orgId), ...stored].map(({ id, name, contact }) => ({
    ...{ id: providerPath(orgId, id, operatorOrg), name },
    ...(contact === undefined ? {} : { contact }),
  }));
}

/** A provider of the configuration hides one with the same id that was added before. */
async function allStored(tools: Tools, orgId: string): Promise<StoredProvider[]> {
  const { items } = await tools.store.listDocuments({
    orgId,
    type: 'identity-provider',
    limit: limits.identityProviders,
  });
  const configured = configuredOf(tools, orgId).map(({ id }) => id);
  return items.map(({ record }) => record).filter(({ id }) => !configured.includes(id));
}

export function urlsOf({ publicUrl }: Pick<Context, 'publicUrl'>, orgId: string, providerId: string) {
  const base = publicUrl();
  if (base === undefined) return undefined;
  const path = `${base}/auth/${providerPath(orgId, providerId, operatorOrg)}`;
  return { callbackUrl: `${path}/callback`, logoutUrl: `${path}/backchannel-logout` };
}

const shown = (context: Context, { orgId }: Caller, provider: StoredProvider): IdentityProvider =>
  shownProvider(provider, 'api', urlsOf(context, orgId, provider.id));

const subjectOf = ({ id, name }: StoredProvider) => ({ type: 'provider', id, name });

export const createIdentityProvider: Operation<'createIdentityProvider'> = (context, caller, input) =>
  perform<IdentityProvider>(context, caller, {
    verb: 'createIdentityProvider',
    input,
    attempt: async () => {
      const { idempotencyKey: _, ...given } = input;
      const { orgId } = caller;
      const { id } = given;
      if (await findProvider(context, orgId, id))
        fail('provider-exists', `The identity provider ${id} already exists.`, { current: { id } });
      const stored = await allStored(context, orgId);
      if (stored.length >= limits.identityProviders)
        fail('too-many-providers', `An org can have at most ${limits.identityProviders} identity providers.`);
      await refuseBad(context, caller, given, [...checkName(given.name), ...checkProvider(given)]);
      const at = timestamp(context.clock.now());
      const record: StoredProvider = { ...given, createdAt: at, updatedAt: at };
      const created = adminEvent(context, actorOf(caller), {
        ...{ type: 'provider.created', subject: subjectOf(record) },
        data: { issuer: record.issuer, clientId: record.clientId },
      });
      return {
        change: { documents: [{ type: 'identity-provider', id, record, expected: null }, created] },
        resource: { type: 'identity-provider', id },
        result: shown(context, caller, record),
      };
    },
    reload: async (id) => shown(context, caller, (await loadStored(context, caller, id)).record),
  });

/** The operator's own providers may be in a private network. Those of another org may not, because they would reach into it. */
async function refuseBad(
  { identityProviders }: Context,
  { orgId }: Caller,
  { issuer }: CreateIdentityProvider,
  problems: readonly Problem[],
): Promise<void> {
  const isReadable = !problems.some(({ pointer }) => pointer === '/issuer');
  const refused = orgId === operatorOrg || !isReadable ? undefined : await identityProviders.checkIssuer(issuer, orgId);
  const all = [...problems, ...(refused ? [refused] : [])];
  if (all.length > 0) throw invalidInput(all);
}

export const listIdentityProviders: Operation<'listIdentityProviders'> = async (context, caller, request) => {
  const { orgId } = caller;
  const { cursor = '', limit } = request;
  const configured = configuredOf(context, orgId).map((provider) => ({ provider, source: 'environment' as const }));
  const stored = (await allStored(context, orgId)).map((provider) => ({ provider, source: 'api' as const }));
  const after = [...configured, ...stored]
    .toSorted((a, b) => (a.provider.id < b.provider.id ? -1 : 1))
    .filter(({ provider }) => provider.id > cursor);
  const items = after
    .slice(0, pageLimit(limit))
    .map(({ provider, source }) => shownProvider(provider, source, urlsOf(context, orgId, provider.id)));
  return page({ items, ...(items.length < after.length ? { next: items.at(-1)?.id ?? '' } : {}) });
};

async function loadStored(context: Context, { orgId }: Caller, id: string): Promise<Document<'identity-provider'>> {
  if (configuredOf(context, orgId).some((provider) => provider.id === id))
    fail('provider-read-only', `The identity provider ${id} is set up in the configuration of the server.`);
  return (
    (await context.store.getDocument({ orgId, type: 'identity-provider', id })) ??
    fail('provider-not-found', `There is no identity provider ${id}.`)
  );
}

export const updateIdentityProvider: Operation<'updateIdentityProvider'> = (
  context,
  caller,
  { providerId: id, ...update },
) =>
  save<IdentityProvider>(context, caller, async () => {
    const before = await loadStored(context, caller, id);
    const { provider: record, problems } = updatedProvider(before.record, update, context.clock.now());
    await refuseBad(context, caller, record, [...checkName(record.name), ...problems]);
    const changed = changedSettings(before.record, record);
    if (jsonEqual(changed, [])) return { change: {}, result: shown(context, caller, before.record) };
    const updated = adminEvent(context, actorOf(caller), {
      ...{ type: 'provider.updated', subject: subjectOf(record), data: { changed } },
    });
    return {
      change: { documents: [{ type: 'identity-provider', id, record, expected: before.revision }, updated] },
      result: shown(context, caller, record),
    };
  });

export const deleteIdentityProvider: Operation<'deleteIdentityProvider'> = (context, caller, { providerId: id }) =>
  save(context, caller, async () => {
    const { record, revision } = await loadStored(context, caller, id);
    const deleted = adminEvent(context, actorOf(caller), { type: 'provider.deleted', subject: subjectOf(record) });
    return {
      change: { documents: [{ type: 'identity-provider', id, record: null, expected: revision }, deleted] },
      result: {},
    };
  });
