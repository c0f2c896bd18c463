/** The settings of an identity provider: which are valid, how they change, and what others see of them. */
import {
  type CreateIdentityProvider,
  defined,
  type IdentityProvider,
  type Problem,
  type UpdateIdentityProvider,
} from '@holdpoint/protocol';
import { timestamp } from '../state.ts';

/** A provider with its secret. One of the configuration has no times. */
export interface StoredProvider extends CreateIdentityProvider {
  createdAt?: string;
  updatedAt?: string;
}

/** The addresses of the server that belong to a provider. */
export interface ProviderUrls {
  callbackUrl: string;
  logoutUrl: string;
}

/** Lists the properties one by one, so that a new property is not shown by accident. The secret never is. */
export const shownProvider = (
  { id, name, issuer, clientId, clientSecret, ...settings }: StoredProvider,
  source: IdentityProvider['source'],
  urls: ProviderUrls | undefined,
): IdentityProvider => {
  const { clientAuth, scopes, signUp, allowedDomains, trustEmail, roleClaim, roles, groupClaim, groups } = settings;
  const { createGroups, mcpTokens, mcpScopes, contact, createdAt, updatedAt } = settings;
  return {
    ...{ id, name, issuer, clientId, hasSecret: clientSecret !== undefined, source, ...urls },
    ...defined({ clientAuth, scopes, signUp, allowedDomains, trustEmail, roleClaim, roles, groupClaim, groups }),
    ...defined({ createGroups, mcpTokens, mcpScopes, contact, createdAt, updatedAt }),
  };
};

/** Checks what a schema cannot express. The names of hosts are looked up elsewhere. */
export function checkProvider(settings: CreateIdentityProvider): Problem[] {
  const { issuer, signUp, allowedDomains, roleClaim, roles, groupClaim, groups, createGroups } = settings;
  const { clientSecret, mcpTokens, mcpScopes } = settings;
  const needs = (name: string, isMissing: boolean, message: string): Problem[] =>
    isMissing ? [{ pointer: `/${name}`, code: 'required', message }] : [];
  return [
    ...checkIssuer(issuer),
    ...needs(
      'allowedDomains',
      signUp === true && !allowedDomains,
      'Name the domains whose users may sign up, or * for all users of the provider.',
    ),
    ...needs('roles', roleClaim !== undefined && !roles, 'Say which value of the claim gives which role.'),
    ...needs('roleClaim', roles !== undefined && roleClaim === undefined, 'Name the claim with the roles.'),
    ...needs(
      'groupClaim',
      (groups !== undefined || createGroups === true) && groupClaim === undefined,
      'Name the claim with the groups.',
    ),
    ...needs('mcpTokens', mcpScopes !== undefined && !mcpTokens, 'Say how access tokens are checked.'),
    ...needs(
      'clientSecret',
      mcpTokens === 'introspection' && clientSecret === undefined,
      'Give the secret with which the server asks the provider about tokens.',
    ),
  ];
}

export function checkIssuer(issuer: string): Problem[] {
  const problem = (message: string): Problem[] => [{ pointer: '/issuer', code: 'url', message }];
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return problem('The issuer must begin with https://.');
  if (url.username !== '' || url.password !== '' || /[?#]/.test(issuer))
    return problem('The issuer must be a URL without a password, a query and a #.');
  if (url.protocol === 'http:' && !isLoopback(url))
    return problem(
      'The issuer must begin with https://. Only a provider on the machine of the server may use http://.',
    );
  return [];
}

/** `URL` has already normalized numbers such as 0x7f.1. */
const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);

export function updatedProvider(
  before: StoredProvider,
  update: UpdateIdentityProvider,
  now: number,
): { provider: StoredProvider; problems: Problem[] } {
  const kept = Object.entries(before).filter(([name]) => update[name as keyof UpdateIdentityProvider] === undefined);
  const given = Object.entries(update).filter(([, value]) => value !== undefined && value !== null);
  const provider = {
    ...(Object.fromEntries([...kept, ...given]) as unknown as StoredProvider),
    updatedAt: timestamp(now),
  };
  // Otherwise an admin could send the secret, which nobody may read, to a server of their own.
  const isSentElsewhere =
    before.clientSecret !== undefined && provider.issuer !== before.issuer && update.clientSecret === undefined;
  const secret: Problem = {
    pointer: '/clientSecret',
    code: 'required',
    message: 'Give the secret for the new issuer, or remove it.',
  };
  return { provider, problems: [...checkProvider(provider), ...(isSentElsewhere ? [secret] : [])] };
}

/** Returns the names of the properties that differ. The log has names only, because a value may be secret. */
export const changedSettings = (before: StoredProvider, after: StoredProvider): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => name !== 'updatedAt')
    .filter((name) => JSON.stringify(settingOf(before, name)) !== JSON.stringify(settingOf(after, name)))
    .toSorted();

const settingOf = (provider: StoredProvider, name: string): unknown => provider[name as keyof StoredProvider];

/**
 * The name of a provider in an address: its id, and before it the org if that is not the org of the operator. An id of
 * a provider has no tilde, so the last one separates them.
 */
export const providerPath = (orgId: string, providerId: string, operatorOrg: string): string =>
  orgId === operatorOrg ? providerId : `${orgId}~${providerId}`;

export function readProviderPath(path: string, operatorOrg: string): { orgId: string; providerId: string } {
  const at = path.lastIndexOf('~');
  return at < 0
    ? { orgId: operatorOrg, providerId: path }
    : { orgId: path.slice(0, at), providerId: path.slice(at + 1) };
}

/** A slash at the end makes no difference. */
export const isOfIssuer = ({ issuer }: StoredProvider, given: string): boolean =>
  issuer.replace(/\/$/, '') === given.replace(/\/$/, '');

/** Returns the issuer that a signed token names, which is not verified. Undefined for a token that is no JWT. */
export function issuerOfToken(token: string): string | undefined {
  const [, payload, signature, ...more] = token.split('.');
  if (!payload || signature === undefined || more.length > 0) return undefined;
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    const { iss } = JSON.parse(new TextDecoder().decode(bytes)) as { iss?: unknown };
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
