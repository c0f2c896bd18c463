/**
 * MCP clients of people: /mcp is a protected resource of OAuth, whose authorization servers are the identity providers of
 * the org. A client without a token learns from the 401 where to get one.
 */
import { fail, hasCode } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Caller } from '../../domain/caller.ts';
import { operatorOrg } from '../../operations/access/orgs.ts';
import type { Context } from '../../operations/context.ts';
import { callerOfAccessToken, mcpResource, queryOf } from '../../operations/people/mcp-clients.ts';
import { type Authenticator, bearerOf } from '../admission/admission.ts';
import { networkOf, TokenBuckets } from '../admission/rate-limit.ts';

export const mcpPath = '/mcp';
export const metadataPath = `/.well-known/oauth-protected-resource${mcpPath}`;

/** A whole office may have one address, and asks about each token every 30 seconds. */
const lookUpsPerMinute = 300;
/** A key or token of ours that is not valid never reaches a provider. */
const ownToken = /^hp[a-z]?_/;

/** No org has the empty id. */
const orgOf = ({ query }: FastifyRequest): string => {
  const { org = operatorOrg } = query as { org?: unknown };
  return typeof org === 'string' ? org : '';
};

/** Returns the caller of a request to /mcp: by a key or token of ours, or by an access token of a provider. */
export function mcpCallers(context: Context, authenticate: Authenticator) {
  const buckets = new TokenBuckets();
  return async (request: FastifyRequest): Promise<Caller> => {
    const { authorization } = request.headers;
    try {
      return await authenticate(authorization);
    } catch (error) {
      const token = bearerOf(authorization);
      if (!hasCode(error, 'unauthenticated') || token === undefined || ownToken.test(token)) throw error;
      const limit = () =>
        buckets.take({
          name: networkOf(request.ip),
          perSecond: lookUpsPerMinute / 60,
          burst: lookUpsPerMinute,
          words: `${lookUpsPerMinute} unknown access tokens a minute from one address`,
        });
      const caller = await callerOfAccessToken(context, { orgId: orgOf(request), token, limit });
      if (!caller) throw error;
      return caller;
    }
  };
}

/** Tells clients without a valid token where to get one (RFC 9728). */
export function challenge(scope: FastifyInstance, context: Context): void {
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 401) return payload;
    const orgId = orgOf(request);
    if (await mcpResource(context, orgId)) {
      const error = request.headers.authorization === undefined ? '' : 'error="invalid_token", ';
      const address = `${context.publicUrl()}${metadataPath}${queryOf(orgId)}`;
      reply.header('www-authenticate', `Bearer ${error}resource_metadata="${address}"`);
    }
    return payload;
  });
}

/** Public, also for pages of every origin: a client reads it before it has a token. */
export function addMcpMetadata(app: FastifyInstance, context: Context): void {
  app.get(metadataPath, async (request, reply) => {
    const found = await mcpResource(context, orgOf(request));
    if (!found) return fail('route-not-found', 'No identity provider gives access tokens for /mcp.');
    const settings = found.providers.map((provider) => provider.settings);
    return reply.send({
      resource: found.resource,
      authorization_servers: [...new Set(settings.map(({ issuer }) => issuer))],
      scopes_supported: [...new Set(settings.flatMap(({ mcpScopes = ['openid'] }) => mcpScopes))],
      bearer_methods_supported: ['header'],
      resource_name: 'Holdpoint',
    });
  });
}
