import type { ApiKey, Write } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { timestamp } from '../domain/state.ts';
import type { Context } from './context.ts';
import { loadApiKey } from './load.ts';
import { perform } from './perform.ts';

/** Revoking twice is the same as once. */
export function revokeApiKey(context: Context, caller: Caller, input: { keyId: string } & Write): Promise<ApiKey> {
  return perform(context, caller, {
    verb: 'revokeApiKey',
    input,
    attempt: async () => {
      const stored = await loadApiKey(context, caller, input.keyId);
      const record: ApiKey = { revokedAt: timestamp(context.clock.now()), ...stored.record };
      return {
        change: { changedApiKey: { ...stored, record, expected: stored.record } },
        resource: { type: 'api-key', id: record.id },
        result: record,
      };
    },
    reload: async (id) => (await loadApiKey(context, caller, id)).record,
  });
}
