/** The API key of the demo's agent: the same after every restart, made when it is first needed, and shown to nobody. */
import { createHmac } from 'node:crypto';
import { timestamp } from '../domain/state.ts';
import { hashApiKey } from '../operations/api-keys.ts';
import type { Context } from '../operations/context.ts';
import { operatorOrg } from '../operations/orgs.ts';
import { storedSecret } from '../signing/server-secret.ts';
import { demoAgent } from './demo-world.ts';

export async function demoKey({ store, clock }: Pick<Context, 'store' | 'clock'>): Promise<string> {
  const seed = await storedSecret(store, 'demo-secret');
  // One that somebody has revoked stays revoked, and the next in the row takes its place.
  for (let place = 0; ; ) {
    const secret = `hp_${createHmac('sha256', seed).update(`${demoAgent} ${place}`).digest('base64url')}`;
    const hash = hashApiKey(secret);
    const stored = await store.findApiKey({ hash });
    if (stored && !stored.record.revokedAt) return secret;
    if (stored) place++;
    else {
      // Who did something is told by the id of their key, so this one is a name.
      const id = place === 0 ? demoAgent : `${demoAgent}-${place}`;
      const record = { id, name: demoAgent, role: 'agent', createdAt: timestamp(clock.now()) } as const;
      await store.commit({ orgId: operatorOrg, newApiKey: { orgId: operatorOrg, hash, record } });
    }
  }
}
