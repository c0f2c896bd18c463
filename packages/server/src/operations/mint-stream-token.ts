import { type CreateStreamToken, fail, type StreamToken } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { openEvents } from './open-events.ts';
import { authorize } from './perform.ts';

const defaultTtlSeconds = 60;

/** Nothing about a token is stored. It carries the filter, so that whoever has the address can follow nothing else. */
export async function mintStreamToken(
  context: Context,
  caller: Caller,
  { ttlSeconds = defaultTtlSeconds, ephemeral = false, ...asked }: CreateStreamToken,
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
