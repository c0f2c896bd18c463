import { type CreateResponderToken, defined, fail } from '@holdpoint/protocol';
import { actorOf, type Caller, issuersOf, type TokenScope } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import type { IdempotencyRecord } from '../../stores/store.ts';
import type { Context, Operation } from '../context.ts';
import { openEvents } from '../follow-events.ts';
import { loadInteraction } from '../interactions/interactions.ts';
import { invalidInput } from '../invalid-input.ts';
import { adminEvent } from '../people/admin-log.ts';
import { perform, save } from '../perform.ts';
import { loadThread } from '../threads.ts';

const defaultResponderSeconds = 3_600;
const defaultStreamSeconds = 60;

/** Tokens expire on whole seconds. The returned time must be that of the token. */
const expiryAfter = ({ clock }: Context, seconds: number): number => (Math.ceil(clock.now() / 1000) + seconds) * 1000;

/** Stores nothing of a token but its idempotency key and its place in the admin log. A repeated call returns a new token with the same scope. */
export const mintResponderToken: Operation<'mintResponderToken'> = (context, caller, input) => {
  const { responderId, ttlSeconds = defaultResponderSeconds } = input;
  const mint = async () => {
    const scope = await loadScope(context, caller, input);
    const expiresAt = expiryAfter(context, ttlSeconds);
    const claims = { orgId: caller.orgId, responderId, scope, expiresAt, ...issuersOf(actorOf(caller)) };
    const token = await context.tokens.sign(claims);
    // A token for one question gets a page, for a person without another way to answer it. Browsers send no server what
    // follows `#`, so the token is in no log.
    const base = 'interactionId' in scope ? context.publicUrl() : undefined;
    const url = base && `${base}/a/#${token}`;
    const expiry = timestamp(expiresAt);
    const created = adminEvent(context, actorOf(caller), {
      type: 'token.created',
      subject: { type: 'responder', id: responderId },
      data: { ...scope, expiresAt: expiry },
    });
    return { scope, change: { documents: [created] }, result: { token, expiresAt: expiry, ...defined({ url }) } };
  };
  return perform(context, caller, {
    verb: 'mintResponderToken',
    input,
    attempt: async () => {
      const { scope, change, result } = await mint();
      return { change, resource: resourceOf(scope, caller), result };
    },
    // Another token, so it is recorded too.
    reload: () => save(context, caller, mint),
  });
};

async function loadScope(
  context: Context,
  caller: Caller,
  { threadId, interactionId, inbox }: CreateResponderToken,
): Promise<TokenScope> {
  const given = [threadId, interactionId, inbox].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const message = 'Give exactly one of threadId, interactionId and inbox.';
    throw invalidInput([{ pointer: '/threadId', code: 'one-of', message }]);
  }
  if (interactionId !== undefined) {
    const interaction = await loadInteraction(context, caller, interactionId);
    return { threadId: interaction.threadId, interactionId };
  }
  if (threadId !== undefined) return { threadId: (await loadThread(context, caller, threadId)).id };
  return { inbox: true };
}

function resourceOf(scope: TokenScope, { orgId }: Caller): IdempotencyRecord['resource'] {
  if ('inbox' in scope) return { type: 'org', id: orgId };
  const { threadId, interactionId } = scope;
  return interactionId === undefined ? { type: 'thread', id: threadId } : { type: 'interaction', id: interactionId };
}

/** Stores nothing of a token. The token carries the filter, so that its address opens no other stream. */
export const mintStreamToken: Operation<'mintStreamToken'> = async (context, caller, input) => {
  const { ttlSeconds = defaultStreamSeconds, ephemeral = false, ...asked } = input;
  if (caller.kind !== 'key') return fail('forbidden', 'Only an API key can create stream tokens.');
  const { orgId, keyId, role } = caller;
  const { filter, after } = await openEvents(context, caller, asked);
  const expiresAt = expiryAfter(context, ttlSeconds);
  const token = await context.streamTokens.sign({ orgId, keyId, role, filter, after, ephemeral }, expiresAt);
  const base = context.publicUrl();
  const url = base && `${base}/v1/events?token=${token}`;
  return { token, expiresAt: timestamp(expiresAt), ...defined({ url }) };
};
