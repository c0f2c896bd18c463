/** Finds the person of an MCP client by an access token of an identity provider. */
import { fail } from '@holdpoint/protocol';
import type { PersonCaller } from '../../domain/caller.ts';
import { isOfIssuer, issuerOfToken } from '../../domain/people/identity-provider.ts';
import { operatorOrg } from '../access/orgs.ts';
import type { AccessTokenUse, Context, OwnedProvider } from '../context.ts';
import { allProviders } from './identity-providers.ts';
import { identityId } from './sign-in-by-provider.ts';
import { SignInRefused } from './sign-in-refused.ts';

type Tools = Pick<Context, 'store' | 'identityProviders' | 'publicUrl'>;

/** A provider may be down for a while. */
const retryAfterMs = 5_000;

/** The facts that an MCP client needs to get a token for an org. */
export interface McpResource {
  /** The address of /mcp for the org, for which tokens must be issued. */
  resource: string;
  providers: readonly OwnedProvider[];
}

/** Returns undefined if no provider of the org gives tokens to MCP clients. */
export async function mcpResource(tools: Tools, orgId: string): Promise<McpResource | undefined> {
  const base = tools.publicUrl();
  if (base === undefined) return undefined;
  const providers = (await allProviders(tools, orgId)).filter(({ settings }) => settings.mcpTokens !== undefined);
  return providers.length > 0 ? { resource: `${base}/mcp${queryOf(orgId)}`, providers } : undefined;
}

export const queryOf = (orgId: string): string => (orgId === operatorOrg ? '' : `?org=${encodeURIComponent(orgId)}`);

interface Given {
  orgId: string;
  token: string;
  limit: AccessTokenUse['limit'];
}

/** Returns undefined if the token is not valid. */
export async function callerOfAccessToken(
  context: Tools,
  { orgId, token, limit }: Given,
): Promise<PersonCaller | undefined> {
  const found = await mcpResource(context, orgId);
  const provider = found && providerOf(found.providers, token);
  if (!provider) return undefined;
  const { resource } = found;
  const account = await context.identityProviders
    .readAccessToken(provider, token, { resource, limit })
    .catch((error: unknown) => {
      if (!(error instanceof SignInRefused)) throw error;
      return fail(
        'provider-unavailable',
        'The identity provider of this access token cannot be reached. Repeat later.',
        {
          retryAfterMs,
        },
      );
    });
  if (!account) return undefined;
  const { store } = context;
  const identity = await store.getDocument({
    orgId,
    type: 'identity',
    id: identityId(account.issuer, account.subject),
  });
  const person = identity && (await store.getDocument({ orgId, type: 'person', id: identity.record.personId }));
  if (!person)
    return fail('forbidden', 'Nobody has signed in with this account. Sign in to the console of Holdpoint once first.');
  if (person.record.status !== 'active') return fail('forbidden', `${person.record.name} is deactivated.`);
  return { kind: 'person', orgId, person: person.record, via: 'mcp' };
}

/** A token goes to no other provider than its own: that of its issuer, or for other tokens the only one that may be asked. */
function providerOf(providers: readonly OwnedProvider[], token: string): OwnedProvider | undefined {
  const issuer = issuerOfToken(token);
  if (issuer !== undefined) return providers.find(({ settings }) => isOfIssuer(settings, issuer));
  const [asked, ...others] = providers.filter(({ settings }) => settings.mcpTokens === 'introspection');
  return others.length === 0 ? asked : undefined;
}
