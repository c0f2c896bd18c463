/** API keys are 256 random bits. Only a hash is stored. It needs no salt, because nobody can guess 256 bits. */
import { hash, randomBytes } from 'node:crypto';
import {
  type ApiKey,
  type CreateApiKey,
  type CreatedApiKey,
  fail,
  type Page,
  type PageRequest,
  type Problem,
  type PublicKeySettings,
  type Role,
  type UpdateApiKey,
  type Write,
} from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { publicKeyProblems } from '../../domain/public-key.ts';
import { timestamp } from '../../domain/state.ts';
import type { StoredApiKey } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { authorize, page, pageLimit, perform } from '../perform.ts';

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

export async function listApiKeys({ store }: Context, caller: Caller, request: PageRequest): Promise<Page<ApiKey>> {
  authorize(caller, 'listApiKeys');
  return page(await store.listApiKeys({ ...request, orgId: caller.orgId, limit: pageLimit(request.limit) }));
}

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

export const hashApiKey = (secret: string): string => hash('sha256', secret, 'base64url');

const publicPrefix = 'hpp_';

export const isPublicKey = (key: string): boolean => key.startsWith(publicPrefix);

/** The secret is for the caller, once; what is stored does not have it. A public key is no secret, and is kept as it is. */
export function newApiKey(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  { orgId, name, role, settings }: { orgId: string; name: string; role: Role; settings?: PublicKeySettings },
): { secret: string; stored: StoredApiKey } {
  const secret = `${settings ? publicPrefix : 'hp_'}${randomBytes(32).toString('base64url')}`;
  const shown = settings ? { publicKey: secret, public: settings } : {};
  const record: ApiKey = { id: newId(), name, role, ...shown, createdAt: timestamp(clock.now()) };
  return { secret, stored: { orgId, hash: hashApiKey(secret), record } };
}

export async function loadApiKey({ store }: Context, { orgId }: Caller, id: string): Promise<StoredApiKey> {
  return (await store.getApiKey({ orgId, id })) ?? fail('key-not-found', `There is no API key ${id}.`);
}
