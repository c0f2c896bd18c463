/** API keys are 256 random bits. Only a hash is stored. It needs no salt, because nobody can guess 256 bits. */
import { hash, randomBytes } from 'node:crypto';
import {
  type Actor,
  type ApiKey,
  type CreateApiKey,
  type CreatedApiKey,
  defined,
  fail,
  jsonEqual,
  type Problem,
  type PublicKeySettings,
  type Role,
  type UpdateApiKey,
} from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { publicKeyProblems } from '../../domain/public-key.ts';
import { timestamp } from '../../domain/state.ts';
import type { DocumentChange } from '../../stores/documents.ts';
import type { StoredApiKey } from '../../stores/store.ts';
import type { Context, Operation } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { adminEvent } from '../people/admin-log.ts';
import { page, pageLimit, perform, save } from '../perform.ts';

/** A repeated call returns the key without its secret, which is shown once. */
export const createApiKey: Operation<'createApiKey'> = (context, caller, input) =>
  perform<CreatedApiKey>(context, caller, {
    verb: 'createApiKey',
    input,
    attempt: async () => {
      const { name, role, public: settings } = input;
      const problems = settingsProblems(input);
      if (problems.length > 0) throw invalidInput(problems);
      const { secret, stored } = newApiKey(context, {
        ...{ orgId: caller.orgId, name, role, createdBy: actorOf(caller) },
        ...defined({ settings }),
      });
      return {
        change: {
          newApiKey: stored,
          documents: [keyEvent(context, actorOf(caller), 'key.created', stored.record, { role })],
        },
        resource: { type: 'api-key', id: stored.record.id },
        result: settings ? stored.record : { ...stored.record, secret },
      };
    },
    reload: async (id) => (await loadApiKey(context, caller, id)).record,
  });

function settingsProblems({ role, public: settings }: CreateApiKey): Problem[] {
  const at = (code: string, message: string) => [{ pointer: '/public', code, message }];
  if (role !== 'public') return settings ? at('not-allowed', 'Only a key of the role public has these settings.') : [];
  return settings ? publicKeyProblems(settings) : at('required', 'Give the agent of the key and its allowed origins.');
}

export const listApiKeys: Operation<'listApiKeys'> = async ({ store }, { orgId }, request) =>
  page(await store.listApiKeys({ ...request, orgId, limit: pageLimit(request.limit) }));

export const updateApiKey: Operation<'updateApiKey'> = (context, caller, { keyId, name, public: changes }) =>
  save(context, caller, async () => {
    const stored = await loadApiKey(context, caller, keyId);
    const settings = changed(stored.record, changes);
    const record: ApiKey = { ...stored.record, ...defined({ name, public: settings }) };
    if (jsonEqual(record, stored.record)) return { change: {}, result: record };
    const changedValues = defined({ name, public: changes && settings });
    const updated = keyEvent(context, actorOf(caller), 'key.updated', record, { changed: changedValues });
    const changedApiKey = { ...stored, record, expected: stored.record };
    return { change: { changedApiKey, documents: [updated] }, result: record };
  });

function changed({ public: before }: ApiKey, changes: UpdateApiKey['public']): PublicKeySettings | undefined {
  if (!changes) return before;
  if (!before) return fail('invalid-input', 'Only a public key has public settings.', { problems: notPublic });
  const settings = { ...before, ...changes };
  const problems = publicKeyProblems(settings);
  if (problems.length > 0) throw invalidInput(problems);
  return settings;
}

const notPublic = [{ pointer: '/public', code: 'not-allowed', message: 'Only a public key has public settings.' }];

/** A key that is revoked twice keeps its first `revokedAt`. */
export const revokeApiKey: Operation<'revokeApiKey'> = (context, caller, input) =>
  perform(context, caller, {
    verb: 'revokeApiKey',
    input,
    attempt: async () => {
      const stored = await loadApiKey(context, caller, input.keyId);
      const record: ApiKey = { revokedAt: timestamp(context.clock.now()), ...stored.record };
      return {
        // A key that was revoked earlier does not change, and its revocation is in the admin log.
        change: stored.record.revokedAt
          ? {}
          : {
              changedApiKey: { ...stored, record, expected: stored.record },
              documents: [keyEvent(context, actorOf(caller), 'key.revoked', record)],
            },
        resource: { type: 'api-key', id: record.id },
        result: record,
      };
    },
    reload: async (id) => (await loadApiKey(context, caller, id)).record,
  });

export function keyEvent(
  context: Pick<Context, 'clock' | 'newId'>,
  by: Actor,
  type: 'key.created' | 'key.updated' | 'key.revoked',
  { id, name }: ApiKey,
  data?: Record<string, unknown>,
): DocumentChange {
  return adminEvent(context, by, { type, subject: { type: 'key', id, name }, ...defined({ data }) });
}

export const hashApiKey = (secret: string): string => hash('sha256', secret, 'base64url');

const publicPrefix = 'hpp_';

export const isPublicKey = (key: string): boolean => key.startsWith(publicPrefix);

interface NewApiKey {
  orgId: string;
  name: string;
  role: Role;
  settings?: PublicKeySettings;
  createdBy: Actor;
}

/** Returns the secret apart from the stored record, which does not have it. A public key is no secret, and is stored. */
export function newApiKey(
  { clock, newId }: Pick<Context, 'clock' | 'newId'>,
  { orgId, name, role, settings, createdBy }: NewApiKey,
): { secret: string; stored: StoredApiKey } {
  const secret = `${settings ? publicPrefix : 'hp_'}${randomBytes(32).toString('base64url')}`;
  const shown = settings ? { publicKey: secret, public: settings } : {};
  const record: ApiKey = { id: newId(), name, role, ...shown, createdBy, createdAt: timestamp(clock.now()) };
  return { secret, stored: { orgId, hash: hashApiKey(secret), record } };
}

export async function loadApiKey({ store }: Context, { orgId }: Caller, id: string): Promise<StoredApiKey> {
  return (await store.getApiKey({ orgId, id })) ?? fail('key-not-found', `There is no API key ${id}.`);
}
