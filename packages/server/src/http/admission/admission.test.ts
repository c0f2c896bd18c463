import { expect, test } from 'vitest';
import { hashApiKey } from '../../operations/access/api-keys.ts';
import type { PersonTokens } from '../../signing/person-tokens.ts';
import type { TokenKeeper } from '../../signing/responder-tokens.ts';
import type { Store } from '../../stores/store.ts';
import { authenticator } from './admission.ts';

test('[X43] one key in many forms of the header drives no other key out of memory', async () => {
  const looked: string[] = [];
  const findApiKey: Store['findApiKey'] = async ({ hash }) => {
    looked.push(hash);
    return { orgId: 'o', hash, record: { id: hash, name: '', role: 'agent', createdAt: '' } };
  };
  const tokens = { tokens: {} as TokenKeeper, personTokens: {} as PersonTokens };
  const authenticate = authenticator({ store: { findApiKey }, ...tokens, clock: { now: () => 0 } });
  await authenticate('Bearer quiet');
  for (let spaces = 2; spaces < 12_000; spaces += 1)
    await authenticate(`Bearer${' '.repeat(spaces % 700)} loud${' '.repeat(spaces % 17)}`);
  await authenticate('Bearer quiet');
  expect(looked.filter((hash) => hash === hashApiKey('quiet'))).toHaveLength(1);
});
