import type { CreateResponderToken, ResponderToken, Write } from '@holdpoint/protocol';
import type { Caller, Reach } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { IdempotencyRecord } from '../stores/store.ts';
import type { Context } from './context.ts';
import { invalidInput } from './invalid-input.ts';
import { loadInteraction, loadThread } from './load.ts';
import { perform } from './perform.ts';

const defaultTtlSeconds = 3_600;

/** Nothing about a token is stored but its idempotency key: a repeated call gets a fresh token of the same reach. */
export function mintResponderToken(
  context: Context,
  caller: Caller,
  input: CreateResponderToken & Write,
): Promise<ResponderToken> {
  const mint = async () => {
    const reach = await loadReach(context, caller, input);
    // Tokens expire on whole seconds; what is said of them should be true.
    const seconds = Math.ceil(context.clock.now() / 1000) + (input.ttlSeconds ?? defaultTtlSeconds);
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
