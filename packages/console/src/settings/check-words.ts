/** Says in plain words what the check of an issuer found. */
import type { IdentityProviderCheck } from '@holdpoint/protocol';

export type Checked = { issuer: string } & IdentityProviderCheck;

const discoveryPath = '/.well-known/openid-configuration';

export function wordsForCheck({ issuer, isReady, reason, detail = '', hasBackchannelLogout }: Checked): string {
  const document = issuer.replace(/\/$/, '') + discoveryPath;
  const host = URL.canParse(issuer) ? new URL(issuer).host : issuer;
  if (isReady)
    return `The server found the provider and its keys.${hasBackchannelLogout ? '' : ' The provider has no back-channel logout.'}`;
  if (detail === 'ENOTFOUND' || detail === 'EAI_AGAIN') return `The host ${host} was not found. Check the spelling.`;
  if (detail === 'ERR_PRIVATE_ADDRESS') return `The host ${host} has a private address, which your org cannot use.`;
  if (/timeout/i.test(detail)) return `${host} did not respond within ten seconds.`;
  if (/CERT|SELF_SIGNED|TLS/.test(detail)) return `The server does not trust the certificate of ${host} (${detail}).`;
  if (detail === 'issuer' || detail === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
    return `The document at ${document} names another issuer. Copy the issuer exactly as that document has it.`;
  if (/^ERR_J/.test(detail)) return 'The server found the provider, but could not read its keys.';
  if (/^OAUTH_/.test(detail)) return `There is no discovery document at ${document}. Check the path of the issuer.`;
  if (detail === 'id_token_signing_alg_values_supported')
    return 'The provider signs its tokens with no algorithm that the server accepts. Choose RS256 or ES256 there.';
  if (reason === 'invalid-response' && detail) return `The document at ${document} has no ${detail}.`;
  return `The server could not reach ${host}${/^[A-Z]/.test(detail) ? ` (${detail})` : ''}.`;
}
