/** Stream tokens: signed, valid for minutes, and good for one event stream. Nothing about them is stored. */
import { defined, type EventType, fail } from '@holdpoint/protocol';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Caller, configuredKeyId, inProcessKeyId } from '../domain/caller.ts';
import type { Clock, StreamClaims, StreamTokens } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';
import { hmac, serverSecret } from './server-secret.ts';

const prefix = 'hps_';
const issuer = 'holdpoint-stream';

export interface StreamTokenKeeper extends StreamTokens {
  /** Throws if the token is forged or expired, or if its key was revoked. */
  read(token: string): Promise<OpenedStream>;
  /** Whether the key that made the token is still valid. The token itself may have expired meanwhile. */
  isStanding(stream: OpenedStream): Promise<boolean>;
}

/** The stream that a token opens. */
export interface OpenedStream extends StreamClaims {
  /** Identifies the configured admin key, so that changing the key ends the stream. */
  keyMark?: string | undefined;
}

interface StreamTokenOptions {
  store: Pick<Store, 'getOrCreateMeta' | 'getApiKey'>;
  clock: Clock;
  adminKey?: string | undefined;
}

/** All nodes share the secret. Responder tokens have another. */
export async function streamTokenKeeper({ store, clock, adminKey }: StreamTokenOptions): Promise<StreamTokenKeeper> {
  const secret = await serverSecret(store, 'stream-secret');
  const markOfAdminKey = adminKey === undefined ? undefined : hmac(secret, adminKey).toString('base64url');

  async function isStanding({ orgId, keyId, keyMark }: OpenedStream): Promise<boolean> {
    if (keyId === inProcessKeyId) return true;
    if (keyId === configuredKeyId) return keyMark !== undefined && keyMark === markOfAdminKey;
    const stored = await store.getApiKey({ orgId, id: keyId });
    return stored !== undefined && stored.record.revokedAt === undefined;
  }

  return {
    isStanding,
    async sign(claims, expiresAt) {
      const keyMark = claims.keyId === configuredKeyId ? markOfAdminKey : undefined;
      const stream = { ...claims, ...defined({ keyMark }) };
      if (!(await isStanding(stream)))
        fail('forbidden', 'Create the token with an API key. It is valid while its key is valid.');
      const payload = { ...toPayload(stream), iss: issuer, exp: Math.floor(expiresAt / 1000) };
      return prefix + (await new SignJWT(payload).setProtectedHeader({ alg: 'HS256' }).sign(secret));
    },
    async read(token) {
      if (!token.startsWith(prefix))
        fail(
          'unauthenticated',
          'Only a stream token (POST /v1/stream-tokens) can be in the address. Send keys and other tokens in the Authorization header.',
        );
      const stream = await verified(token.slice(prefix.length));
      if (!(await isStanding(stream)))
        fail('unauthenticated', 'The API key that created the stream token was revoked.');
      return stream;
    },
  };

  async function verified(jwt: string): Promise<OpenedStream> {
    try {
      const currentDate = new Date(clock.now());
      const { payload } = await jwtVerify<Payload>(jwt, secret, { algorithms: ['HS256'], issuer, currentDate });
      return fromPayload(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        fail('unauthenticated', 'The stream token has expired. Create another (POST /v1/stream-tokens).');
      return fail('unauthenticated', 'The stream token is invalid.');
    }
  }
}

/** The caller of the stream: it has the rights of the key, on this path only. */
export const callerOfStream = ({ orgId, keyId, role }: OpenedStream): Caller => ({ kind: 'key', orgId, keyId, role });

/** Short names, because the token is part of an address. */
interface Payload {
  org: string;
  key: string;
  role: StreamClaims['role'];
  mark?: string;
  thread?: string;
  interaction?: string;
  types?: EventType[];
  after: string;
  ephemeral?: true;
}

const toPayload = ({ orgId, keyId, role, keyMark, filter, after, ephemeral }: OpenedStream) => ({
  ...{ org: orgId, key: keyId, role, mark: keyMark, after },
  ...{ thread: filter.threadId, interaction: filter.interactionId, types: filter.types },
  ...defined({ ephemeral: ephemeral || undefined }),
});

function fromPayload({ org: orgId, key: keyId, mark: keyMark, ...payload }: Payload): OpenedStream {
  const { role, after, ephemeral, thread: threadId, interaction: interactionId, types } = payload;
  const filter = defined({ threadId, interactionId, types });
  return { ...{ orgId, keyId, role, keyMark, after, filter }, ephemeral: ephemeral === true };
}
