/** /console/session: sign in, sign out, and read the state of the session. */
import { HoldpointError } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { TokenBuckets } from '../admission/rate-limit.ts';
import { checkedBody } from '../requests/read-input.ts';
import type { ConsoleSessions } from './console-sessions.ts';

const path = '/console/session';
const strict = { additionalProperties: false };
const SignInSchema = Type.Object({ key: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })) }, strict);

/** Longer than any key. */
const bodyLimit = 8_192;
const wrongKeysPerMinute = 10;

export function addSessionRoutes(app: FastifyInstance, sessions: ConsoleSessions): void {
  const attempts = new TokenBuckets();
  app.get(path, async (request, reply) => {
    checkedBody(request);
    return unstored(reply).send(await sessions.describe(request));
  });
  app.post(path, { bodyLimit }, async (request, reply) => {
    const { key } = checkedBody(request, SignInSchema);
    const open = () => sessions.open(request, reply, key);
    return unstored(reply).send(await (key === undefined ? open() : countWrongKeys(request, open)));
  });
  app.delete(path, { bodyLimit }, async (request, reply) => {
    checkedBody(request);
    sessions.close(request, reply);
    return reply.code(204).send();
  });

  /**
   * A correct key is accepted after any number of wrong ones, because otherwise users of the same address could lock it
   * out.
   */
  async function countWrongKeys<T>(request: FastifyRequest, open: () => Promise<T>): Promise<T> {
    try {
      return await open();
    } catch (error) {
      if (isWrongKey(error)) attempts.take(wrongKeys(request));
      throw error;
    }
  }
}

const unstored = <R extends { header(name: string, value: string): R }>(reply: R): R =>
  reply.header('cache-control', 'no-store');

const isWrongKey = (error: unknown): boolean =>
  error instanceof HoldpointError && error.fault.code === 'unauthenticated';

const wrongKeys = ({ ip }: FastifyRequest) => ({
  name: ip,
  perSecond: wrongKeysPerMinute / 60,
  burst: wrongKeysPerMinute,
  words: `${wrongKeysPerMinute} wrong keys a minute from one address`,
});
