/** Ends sessions together with those at the identity provider: of a user who signs out here, or of one who did there. */
import type { SessionProvider, StoredSession } from '../../domain/people/session.ts';
import type { Context, LogoutToken, OwnedProvider } from '../context.ts';
import { findProvider } from './identity-providers.ts';
import { endSessionsOf } from './sessions.ts';
import { identityId, providerActor, providerSessionPrefix, useOnce, wasUsed } from './sign-in-by-provider.ts';

/** Returns the address at which the session of the user at the provider ends, if there is one. */
export async function endSessionUrl(
  context: Context,
  orgId: string,
  { id, idToken }: SessionProvider,
): Promise<string | undefined> {
  const provider = await findProvider(context, orgId, id);
  const base = context.publicUrl();
  if (!provider || base === undefined) return undefined;
  return context.identityProviders.endSessionUrl(provider, {
    returnTo: `${base}/`,
    ...(idToken === undefined ? {} : { idToken }),
  });
}

/** Back-channel logout. Returns false if the token is not valid or was used before. */
export async function logOutByProvider(context: Context, provider: OwnedProvider, token: string): Promise<boolean> {
  const { orgId } = provider;
  const read = await context.identityProviders.readLogoutToken(provider, token);
  if (!read) return false;
  const name = ['logout', read.issuer, read.id];
  if (await wasUsed(context, orgId, name)) return false;
  await endSessions(context, provider, read);
  // Stored last: a provider repeats a logout that failed, and a second one changes nothing.
  await useOnce(context, orgId, name);
  return true;
}

/** With a session of the provider, ends ours that began in it. Without one, ends all that the account began. */
async function endSessions(
  context: Context,
  { orgId, settings }: OwnedProvider,
  { issuer, subject, providerSessionId }: LogoutToken,
): Promise<void> {
  const { store } = context;
  const ending = { orgId, by: providerActor(settings) };
  if (providerSessionId !== undefined) {
    const prefix = providerSessionPrefix(issuer, providerSessionId);
    const { items } = await store.listDocuments({ orgId, type: 'provider-session', cursor: prefix, limit: 200 });
    for (const { record } of items.filter(({ id }) => id.startsWith(prefix)))
      await endSessionsOf(context, ending, record.personId, ({ id }) => id === record.sessionId);
  }
  if (subject === undefined) return;
  const identity = await store.getDocument({ orgId, type: 'identity', id: identityId(issuer, subject) });
  // A session that does not know its session at the provider may be the one that has ended.
  const isMeant = ({ provider }: StoredSession) =>
    provider?.id === settings.id && (providerSessionId === undefined || provider.sessionId === undefined);
  if (identity) await endSessionsOf(context, ending, identity.record.personId, isMeant);
}
