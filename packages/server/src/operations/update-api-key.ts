import { type ApiKey, fail, type PublicKeySettings, type UpdateApiKey } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { publicKeyProblems } from '../domain/public-key.ts';
import type { Context } from './context.ts';
import { invalidInput } from './invalid-input.ts';
import { loadApiKey } from './load.ts';
import { perform } from './perform.ts';

export function updateApiKey(
  context: Context,
  caller: Caller,
  { keyId, name, public: changes }: { keyId: string } & UpdateApiKey,
): Promise<ApiKey> {
  return perform(context, caller, {
    verb: 'updateApiKey',
    input: {},
    attempt: async () => {
      const stored = await loadApiKey(context, caller, keyId);
      const settings = changed(stored.record, changes);
      const record: ApiKey = {
        ...stored.record,
        ...(name === undefined ? {} : { name }),
        ...(settings ? { public: settings } : {}),
      };
      return {
        change: { changedApiKey: { ...stored, record, expected: stored.record } },
        resource: { type: 'api-key', id: record.id },
        result: record,
      };
    },
    reload: async (id) => (await loadApiKey(context, caller, id)).record,
  });
}

function changed({ public: before }: ApiKey, changes: UpdateApiKey['public']): PublicKeySettings | undefined {
  if (!changes) return before;
  if (!before) return fail('invalid-input', 'Only a public key has public settings.', { problems: notPublic });
  const settings = { ...before, ...changes };
  const problems = publicKeyProblems(settings);
  if (problems.length > 0) throw invalidInput(problems);
  return settings;
}

const notPublic = [{ pointer: '/public', code: 'not-allowed', message: 'Only a public key has public settings.' }];
