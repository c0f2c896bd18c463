import type { CreateResponderToken, ResponderToken } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { invalidInput } from './invalid-input.ts';
import { loadInteraction, loadThread } from './load.ts';
import { authorize } from './perform.ts';

const defaultTtlSeconds = 3_600;

export async function mintResponderToken(
  context: Context,
  caller: Caller,
  { responderId, threadId, interactionId, ttlSeconds }: CreateResponderToken,
): Promise<ResponderToken> {
  authorize(caller, 'mintResponderToken');
  if ((threadId === undefined) === (interactionId === undefined)) {
    const message = 'Give threadId or interactionId, one of the two.';
    throw invalidInput([{ pointer: '/threadId', code: 'one-of', message }]);
  }
  const reach =
    interactionId === undefined
      ? { threadId: (await loadThread(context, caller, threadId ?? '')).id }
      : { threadId: (await loadInteraction(context, caller, interactionId)).threadId, interactionId };
  const expiresAt = context.clock.now() + (ttlSeconds ?? defaultTtlSeconds) * 1000;
  const token = await context.tokens.sign({ orgId: caller.orgId, responderId, ...reach, expiresAt });
  return { token, expiresAt: timestamp(expiresAt) };
}
