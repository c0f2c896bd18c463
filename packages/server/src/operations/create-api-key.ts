import type { CreateApiKey, CreatedApiKey, Problem, Write } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { publicKeyProblems } from '../domain/public-key.ts';
import type { Context } from './context.ts';
import { invalidInput } from './invalid-input.ts';
import { loadApiKey } from './load.ts';
import { newApiKey } from './new-api-key.ts';
import { perform } from './perform.ts';

/** A repeated call gets the key without its secret, which is shown once. */
export function createApiKey(context: Context, caller: Caller, input: CreateApiKey & Write): Promise<CreatedApiKey> {
  return perform<CreatedApiKey>(context, caller, {
    verb: 'createApiKey',
    input,
    attempt: async () => {
      const { name, role, public: settings } = input;
      const problems = settingsProblems(input);
      if (problems.length > 0) throw invalidInput(problems);
      const made = { orgId: caller.orgId, name, role, ...(settings ? { settings } : {}) };
      const { secret, stored } = newApiKey(context, made);
      return {
        change: { newApiKey: stored },
        resource: { type: 'api-key', id: stored.record.id },
        result: settings ? stored.record : { ...stored.record, secret },
      };
    },
    reload: async (id) => (await loadApiKey(context, caller, id)).record,
  });
}

function settingsProblems({ role, public: settings }: CreateApiKey): Problem[] {
  const at = (code: string, message: string) => [{ pointer: '/public', code, message }];
  if (role !== 'public') return settings ? at('not-allowed', 'Only a key of the role public has these settings.') : [];
  return settings ? publicKeyProblems(settings) : at('required', 'Say which agent the key is for, and which origins.');
}
