/** The addresses that a provider will have once it is added. */
import type { IdentityProvider } from '@holdpoint/protocol';
import type { Myself } from '../me.ts';

export type ProviderUrls = Pick<IdentityProvider, 'callbackUrl' | 'logoutUrl'>;

/** Empty if the id is not valid. Addresses of another org than `default` contain the org. */
export function urlsOfNew({ orgId, publicUrl }: Pick<Myself, 'orgId' | 'publicUrl'>, id: string): ProviderUrls {
  if (publicUrl === undefined || !/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(id)) return {};
  const path = `${publicUrl}/auth/${orgId === 'default' ? '' : `${orgId}~`}${id}`;
  return { callbackUrl: `${path}/callback`, logoutUrl: `${path}/backchannel-logout` };
}
