/** API keys are 256 random bits; only their hash is kept, and it needs no salt because nobody guesses 256 bits. */
import { hash, randomBytes } from 'node:crypto';
import type { ApiKey, PublicKeySettings, Role } from '@holdpoint/protocol';
import { timestamp } from '../domain/state.ts';
import type { StoredApiKey } from '../stores/store.ts';
import type { Context } from './context.ts';

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
