import {
  type CreateResponderToken,
  type CreateStreamToken,
  fail,
  type ResponderToken,
  type StreamToken,
  type Write,
} from '@holdpoint/protocol';
import type { Caller, Reach } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import type { IdempotencyRecord } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { openEvents } from '../follow-events.ts';
import { loadInteraction } from '../interactions/interactions.ts';
import { invalidInput } from '../invalid-input.ts';
import { authorize, perform } from '../perform.ts';
import { loadThread } from '../threads.ts';

const defaultResponderSeconds = 3_600;
const defaultStreamSeconds = 60;

/** Nothing about a token is stored but its idempotency key: a repeated call gets a fresh token of the same reach. */
export function mintResponderToken(
  context: Context,
  caller: Caller,
  input: CreateResponderToken & Write,
): Promise<ResponderToken> {
  const mint = async () => {
    const reach = await loadReach(context, caller, input);
    // Tokens expire on whole seconds; what is said of them should be true.
    const seconds = Math.ceil(context.clock.now() / 1000) + (input.ttlSeconds ?? defaultResponderSeconds);
    const expiresAt = seconds * 1000;
    const { orgId } = caller;
    const token = await context.tokens.sign({ orgId, responderId: input.responderId, reach, expiresAt });
    // One question has a page of its own, for whoever has no other to answer it on.
    const base = 'interactionId' in reach ? context.publicUrl() : undefined;
    const page = base === undefined ? {} : { url: `${base}/a/${token}` };
    return { reach, result: { token, expiresAt: timestamp(expiresAt), ...page } };
  };
  return perform(context, caller, {
    verb: 'mintResponderToken',
    input,
    attempt: async () => {
      const { reach, result } = await mint();
      return { change: {}, resource: resourceOf(reach, caller), result };
    },
    reload: async () => (await mint()).result,
  });
}

async function loadReach(
  context: Context,
  caller: Caller,
  { threadId, interactionId, inbox }: CreateResponderToken,
): Promise<Reach> {
  const given = [threadId, interactionId, inbox].filter((one) => one !== undefined);
  if (given.length !== 1) {
    const message = 'Give threadId, interactionId or inbox, one of the three.';
    throw invalidInput([{ pointer: '/threadId', code: 'one-of', message }]);
  }
  if (interactionId !== undefined) {
    const interaction = await loadInteraction(context, caller, interactionId);
    return { threadId: interaction.threadId, interactionId };
  }
  if (threadId !== undefined) return { threadId: (await loadThread(context, caller, threadId)).id };
  return { inbox: true };
}

function resourceOf(reach: Reach, { orgId }: Caller): IdempotencyRecord['resource'] {
  if ('inbox' in reach) return { type: 'org', id: orgId };
  const { threadId, interactionId } = reach;
  return interactionId === undefined ? { type: 'thread', id: threadId } : { type: 'interaction', id: interactionId };
}

/** Nothing about a token is stored. It carries the filter, so that whoever has the address can follow nothing else. */
export async function mintStreamToken(
  context: Context,
  caller: Caller,
  { ttlSeconds = defaultStreamSeconds, ephemeral = false, ...asked }: CreateStreamToken,
): Promise<StreamToken> {
  authorize(caller, 'mintStreamToken');
  if (caller.kind !== 'key') return fail('forbidden', 'Only an API key mints stream tokens.');
  const { orgId, keyId, role } = caller;
  const { filter, after } = await openEvents(context, caller, asked);
  // Tokens expire on whole seconds.
  const expiresAt = (Math.ceil(context.clock.now() / 1000) + ttlSeconds) * 1000;
  const token = await context.streamTokens.sign({ orgId, keyId, role, filter, after, ephemeral }, expiresAt);
  const base = context.publicUrl();
  const address = base === undefined ? {} : { url: `${base}/v1/events?token=${token}` };
  return { token, expiresAt: timestamp(expiresAt), ...address };
}
