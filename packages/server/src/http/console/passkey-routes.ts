/** The routes with which a page adds a passkey and signs in with one. They are not in the API, because only pages have them. */
import { hasCode, limits } from '@holdpoint/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Context } from '../../operations/context.ts';
import { addPasskey, passkeyOptions, signInByPasskey, signInOptions } from '../../operations/people/passkeys.ts';
import { TokenBuckets } from '../admission/rate-limit.ts';
import { checkedBody } from '../requests/read-input.ts';
import { bodyLimit, type ConsoleSessions, strict, unstored } from './console-sessions.ts';

/** Base64url without padding, as browsers write bytes to JSON. */
const bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' });
const credential = { id: bytes(limits.idLength), rawId: bytes(limits.idLength), type: Type.Literal('public-key') };

/** Browsers add properties to a response from time to time. They are not read. */
const RegistrationSchema = Type.Object({
  ...credential,
  response: Type.Object({ clientDataJSON: bytes(4_096), attestationObject: bytes(16_384) }),
});
const AssertionSchema = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: bytes(4_096),
    authenticatorData: bytes(4_096),
    signature: bytes(2_048),
  }),
});

const AddSchema = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: limits.nameLength,
      pattern: '^[^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*$',
    }),
    response: RegistrationSchema,
  },
  strict,
);
const SignInSchema = Type.Object({ response: AssertionSchema }, strict);

/** A response with the certificate of an authenticator. */
const registrationLimit = 32_768;
const failuresPerMinute = 20;

export function addPasskeyRoutes(
  app: FastifyInstance,
  { context, sessions }: { context: Context; sessions: ConsoleSessions },
): void {
  const failures = new TokenBuckets();
  const records = new TokenBuckets();

  app.post('/console/passkeys/options', { bodyLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    checkedBody(request);
    const caller = await sessions.callerOf(request);
    return unstored(reply).send(await passkeyOptions(context, caller, sessions.relyingParty(request)));
  });
  app.post('/console/passkeys', { bodyLimit: registrationLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    const { name, response } = checkedBody(request, AddSchema);
    const caller = await sessions.callerOf(request);
    const relyingParty = sessions.relyingParty(request);
    const passkey = await addPasskey(context, caller, { name, response, relyingParty });
    return unstored(reply).code(201).send(passkey);
  });
  app.post('/console/sign-in/passkey/options', { bodyLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    checkedBody(request);
    return unstored(reply).send(signInOptions(context, sessions.relyingParty(request)));
  });
  app.post('/console/sign-in/passkey', { bodyLimit: registrationLimit }, async (request, reply) => {
    sessions.rejectOthers(request);
    const { response } = checkedBody(request, SignInSchema);
    const relyingParty = sessions.relyingParty(request);
    const userAgent = request.headers['user-agent'];
    const { token } = await countFailures(request, () =>
      signInByPasskey(context, { response, relyingParty, userAgent, mayRecord }),
    );
    await sessions.give(request, reply, token);
    return unstored(reply).send({ signedIn: true });
  });

  /** A valid passkey is accepted after any number of wrong ones, because otherwise an attacker could lock people out. */
  async function countFailures<T>(request: FastifyRequest, use: () => Promise<T>): Promise<T> {
    try {
      return await use();
    } catch (error) {
      if (hasCode(error, 'unauthenticated', 'person-deactivated'))
        failures.take(perMinute(request.ip, 'from one address'));
      throw error;
    }
  }

  /** Otherwise one attacker could fill the admin log. */
  function mayRecord(personId: string): boolean {
    try {
      records.take(perMinute(personId, 'of one person'));
      return true;
    } catch {
      return false;
    }
  }
}

const perMinute = (name: string, words: string) => ({
  name,
  perSecond: failuresPerMinute / 60,
  burst: failuresPerMinute,
  words: `${failuresPerMinute} failed sign-ins a minute ${words}`,
});
