/** The script of the guide to passkeys: plain Node, the published client, a record and public keys, and no server. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkQuestion, type Interaction } from '@holdpoint/protocol';
import { challengeOf } from '@holdpoint/protocol/signing';
import { afterAll, expect, test } from 'vitest';
import { digestOf } from '../../packages/server/src/operations/interactions/change-interaction.ts';
import { SoftwareAuthenticator } from '../../packages/server/test/http/people/software-authenticator.ts';
import { published } from '../pack/published.ts';
import { writePackage } from '../pack.ts';

const place = mkdtempSync(join(tmpdir(), 'holdpoint-verify-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

test('[PE147] a script with only the record and the public key verifies an answer', { timeout: 120_000 }, async () => {
  const modules = join(place, 'node_modules');
  mkdirSync(join(modules, '@holdpoint'), { recursive: true });
  for (const each of published().filter(({ folder }) => folder === 'protocol' || folder === 'client'))
    await writePackage(each, join(modules, '@holdpoint', each.folder));
  for (const name of ['re2js', 'typebox']) symlinkSync(resolve('node_modules', name), join(modules, name));
  const [, script = ''] = /```js\n(.*?)```/s.exec(readFileSync('docs/guides/passkeys.md', 'utf8')) ?? [];
  writeFileSync(join(place, 'verify.mjs'), script);

  const device = new SoftwareAuthenticator({ origin: 'https://a.example', relyingPartyId: 'a.example' });
  const by = { type: 'human', id: 'ann', via: 'passkey' } as const;
  const checked = checkQuestion({ kind: 'approval', title: 'Pay?', arguments: { amount: 100 } });
  if (!checked.ok) throw new Error('the question is not valid');
  const asked = {
    ...{ id: 'i1', threadId: 't1', status: 'pending', version: 1, ...checked.question, blocking: true },
    ...{ responder: { type: 'human' }, resolution: { mode: 'first' }, origin: { type: 'agent' }, assurance: 'passkey' },
    ...{ votes: [], createdBy: by, createdAt: '2030-01-01T00:00:00.000Z', updatedAt: '2030-01-01T00:00:00.000Z' },
  } as Interaction;
  const digest = digestOf(asked);
  const values = { decision: 'allow' };
  const signature = device.signText(challengeOf({ ...asked, digest }, 'ann', { values }) ?? '');
  const answer = { id: 'a1', decision: 'accepted', values, digest, signature, by, at: asked.createdAt } as const;
  const record: Interaction = { ...asked, digest, status: 'answered', answer, votes: [answer] };

  const runs = (given: Interaction, key = device.jwk) => {
    writeFileSync(join(place, 'record.json'), JSON.stringify(given));
    writeFileSync(join(place, 'keys.json'), JSON.stringify([{ id: device.id, publicKey: key, personId: 'ann' }]));
    const { status, stderr } = spawnSync(process.execPath, ['verify.mjs'], { cwd: place, encoding: 'utf8' });
    return stderr || status;
  };
  expect(runs(record)).toBe(0);
  const forged = { ...answer, values: { decision: 'deny' } };
  expect(runs({ ...record, answer: forged, votes: [forged] })).toBe(1);
  expect(runs({ ...record, arguments: { amount: 1 } })).toBe(1);
  expect(runs(record, new SoftwareAuthenticator(device.page).jwk)).toBe(1);
});
