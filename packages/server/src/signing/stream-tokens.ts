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

export interface StreamTokenOptions {
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
      const stream = {
        ...claims,
        ...defined({ keyMark: claims.keyId === configuredKeyId ? markOfAdminKey : undefined }),
      };
      if (!(await isStanding(stream)))
        fail('forbidden', 'Mint the token with an API key: it is valid as long as its key.');
      const jwt = await new SignJWT(toPayload(stream))
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(issuer)
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(secret);
      return prefix + jwt;
    },
    async read(token) {
      if (!token.startsWith(prefix))
        fail(
          'unauthenticated',
          'The address takes a stream token (POST /v1/stream-tokens). Send keys and other tokens in the Authorization header.',
        );
      const stream = await verified(token.slice(prefix.length));
      if (!(await isStanding(stream))) fail('unauthenticated', 'The API key that minted the stream token was revoked.');
      return stream;
    },
  };

  async function verified(jwt: string): Promise<OpenedStream> {
    try {
      const currentDate = new Date(clock.now());
      const { payload } = await jwtVerify(jwt, secret, { algorithms: ['HS256'], issuer, currentDate });
      return fromPayload(payload as unknown as Payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired)
        fail('unauthenticated', 'The stream token has expired. Mint another (POST /v1/stream-tokens).');
      return fail('unauthenticated', 'The stream token is invalid.');
    }
  }
}

/** The caller of the stream: it has the rights of the key, on this path only. */
export const callerOfStream = ({ orgId, keyId, role }: OpenedStream): Caller => ({ kind: 'key', orgId, keyId, role });

/** Short names, because the token stands in an address. */
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

const fromPayload = ({
  org,
  key,
  role,
  mark,
  thread,
  interaction,
  types,
  after,
  ephemeral,
}: Payload): OpenedStream => ({
  ...{ orgId: org, keyId: key, role, keyMark: mark, after, ephemeral: ephemeral === true },
  filter: {
    ...defined({ threadId: thread, interactionId: interaction, types }),
  },
});
