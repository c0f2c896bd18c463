/** The secret that signs the callbacks of one key: derived, so that nothing of it is stored and a repeated question needs no other. */
import { createHmac, randomBytes } from 'node:crypto';
import type { Store } from '../../stores/store.ts';

export type CallbackSecrets = (key: { orgId: string; keyId: string }) => string;

/** Every node derives from the same secret, which the first of them makes. */
export async function callbackSecrets(store: Pick<Store, 'settleMeta'>): Promise<CallbackSecrets> {
  const offered = randomBytes(32).toString('base64url');
  const root = Buffer.from(await store.settleMeta({ key: 'callback-secret', value: offered }), 'base64url');
  return ({ orgId, keyId }) =>
    `whsec_${createHmac('sha256', root)
      .update(JSON.stringify(['callback', orgId, keyId]))
      .digest('base64')}`;
}
