/** Bounds the files that a person uploads and no answer carries. */
import { hash } from 'node:crypto';
import { fail, limits, type UploadFile } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';

/** Everything an answer may carry, and as much again that was thought better of. */
const most = 2 * limits.filesPerField;
const retryAfterMs = 3_600_000;

type Place = Pick<UploadFile, 'interactionId' | 'field'>;

/**
 * A name that no other file has: there are only so many, and a file has its own until an answer carries it or it is gone.
 * Nobody has to count, and of two that want the same one the store lets one have it. Keys upload for many, and need none.
 */
export async function freeName({ store }: Context, caller: Caller, place: Place): Promise<{ alias?: string }> {
  if (caller.kind === 'key') return {};
  const { orgId, responderId } = caller;
  for (let number = 0; number < most; number++) {
    const alias = hash('sha256', JSON.stringify([place.interactionId, place.field, responderId, number]), 'base64url');
    if (!(await store.findDocument({ orgId, type: 'file', alias }))) return { alias };
  }
  return fail('rate-limited', `At most ${most} files for a field wait for an answer; answer with those.`, {
    retryAfterMs,
  });
}
