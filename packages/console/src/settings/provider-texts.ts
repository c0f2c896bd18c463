/** The settings of an identity provider as the texts of a form, and back. */
import type { IdentityProvider, UpdateIdentityProvider } from '@holdpoint/protocol';

type Mapping = Readonly<Record<string, string>>;

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const textOfMapping = (mapping: Mapping = {}): string =>
  Object.entries(mapping)
    .map(([value, given]) => `${value} = ${given}`)
    .join('\n');

/** Reads lines such as `staff = admin`. A value may contain `=`, so the last one separates. */
function mappingOf(text: string): Mapping {
  const pairs = linesOf(text).map((line) => {
    const at = line.lastIndexOf('=');
    return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return Object.fromEntries(pairs);
}

/** The texts of the form. The secret is never known. */
export const providerTexts = (before?: IdentityProvider) => ({
  name: before?.name ?? '',
  id: before?.id ?? '',
  issuer: before?.issuer ?? '',
  clientId: before?.clientId ?? '',
  clientSecret: '',
  allowedDomains: before?.allowedDomains?.join('\n') ?? '',
  roleClaim: before?.roleClaim ?? '',
  roles: textOfMapping(before?.roles),
  groupClaim: before?.groupClaim ?? '',
  groups: textOfMapping(before?.groups),
  contact: before?.contact ?? '',
  scopes: before?.scopes?.join(' ') ?? '',
  mcpScopes: before?.mcpScopes?.join(' ') ?? '',
});

export type ProviderTexts = ReturnType<typeof providerTexts>;

/** The settings that are no texts. */
export const providerChoices = (before?: IdentityProvider) => ({
  signUp: before?.signUp ?? false,
  createGroups: before?.createGroups ?? false,
  trustEmail: before?.trustEmail ?? false,
  clientAuth: before?.clientAuth ?? ('' as const),
  mcpTokens: before?.mcpTokens ?? ('' as const),
  removesSecret: false,
});

export type ProviderChoices = ReturnType<typeof providerChoices>;

/** Every setting but the id. Null removes one. An empty secret stays as it is. */
export function settingsOf(texts: ProviderTexts, choices: ProviderChoices) {
  const { name, issuer, clientId, clientSecret, roleClaim, groupClaim, contact } = texts;
  const { signUp, createGroups, trustEmail, clientAuth, mcpTokens, removesSecret } = choices;
  const list = <T>(items: T[]): T[] | null => (items.length > 0 ? items : null);
  const words = (text: string) => list(text.split(/[\s,]+/).filter(Boolean));
  const mapping = (text: string) => (linesOf(text).length > 0 ? mappingOf(text) : null);
  return {
    ...{ name, issuer, clientId },
    ...(clientSecret ? { clientSecret } : removesSecret ? { clientSecret: null } : {}),
    clientAuth: clientAuth || null,
    scopes: words(texts.scopes),
    signUp: signUp || null,
    allowedDomains: signUp ? words(texts.allowedDomains) : null,
    trustEmail: trustEmail || null,
    roleClaim: roleClaim || null,
    // The server says which roles there are.
    roles: mapping(texts.roles) as UpdateIdentityProvider['roles'] & {},
    groupClaim: groupClaim || null,
    groups: mapping(texts.groups),
    createGroups: createGroups || null,
    mcpTokens: mcpTokens || null,
    mcpScopes: mcpTokens ? words(texts.mcpScopes) : null,
    contact: contact || null,
  };
}
