/** Passkeys in a browser with a virtual authenticator: added, used to sign in and to approve, and removed. */
import { verifyAnswer } from '@holdpoint/client/verify';
import type { CreateInteraction, Interaction, Person } from '@holdpoint/protocol';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading, notice } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--no-demo'] });
const named = () => stage.url.replace('127.0.0.1', 'localhost');
const payment: CreateInteraction = {
  kind: 'approval',
  title: 'Pay the invoice?',
  fields: [{ name: 'amount', type: 'number', label: 'Amount' }],
  arguments: { amount: 100, to: 'ACME' },
  assurance: 'passkey',
};

async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}

/** The virtual authenticator cannot be asked to cancel. Browsers reject with this error when the person does. */
const cancels = (page: Page, isCancelling: boolean) =>
  page.evaluate((isOn) => {
    const container = navigator.credentials as { get?: unknown };
    if (isOn) container.get = () => Promise.reject(new DOMException('Cancelled.', 'NotAllowedError'));
    else delete container.get;
  }, isCancelling);

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.goto(`${named()}/#/settings?tab=you`);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Add passkey' }).click();
  await notice(page, 'Passkey added.');
}

const openRequest = async (page: Page, { id }: Interaction) => {
  await page.goto(`${named()}/#/inbox/${id}`);
  await page.getByRole('heading', { name: 'Pay the invoice?' }).last().waitFor();
};

test('[PE150] a person adds a passkey, signs in with it, approves with it, and removes it', async () => {
  const thread = await stage.newThread();
  const [first, second] = [await stage.ask(thread, payment), await stage.ask(thread, payment)];
  const page = await enter(stage, 'settings?tab=you', { through: named() });
  // Without a passkey nothing is sent, and the page says where to add one.
  await openRequest(page, first);
  await page.getByText('You confirm this answer with your passkey when you send it.').waitFor();
  await expectWhole(page);
  await page.getByLabel('Amount').fill('90');
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  const link = page.getByRole('link', { name: 'Add a passkey in your profile' });
  expect(await link.getAttribute('href')).toBe(`${named()}/#/settings?tab=you`);

  // After the look at the page, because the end of that session would remove the authenticator.
  await addAuthenticator(page);
  await addPasskey(page, 'Test device');
  await page.getByText('Test device').first().waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in to Holdpoint').waitFor();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await heading(page, 'Settings').waitFor();
  const admin = await stage.admin();
  const { passkeys } = await stage.call<Person>(`/v1/people/${admin}`);
  expect(passkeys).toMatchObject([{ name: 'Test device', lastUsedAt: expect.any(String) }]);

  // A person who does not confirm sends nothing, and keeps what they entered.
  await openRequest(page, first);
  await page.getByLabel('Amount').fill('80');
  await cancels(page, true);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await page.getByText('The passkey did not confirm. Nothing was sent').waitFor();
  expect(await page.getByLabel('Amount').inputValue()).toBe('80');
  expect((await stage.call<Interaction>(`/v1/interactions/${first.id}`)).votes).toEqual([]);
  await cancels(page, false);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect
    .poll(async () => (await stage.call<Interaction>(`/v1/interactions/${first.id}`)).status, { timeout: 10_000 })
    .toBe('answered');
  const answered = await stage.call<Interaction>(`/v1/interactions/${first.id}`);
  expect(answered.answer).toMatchObject({
    by: { id: admin, via: 'passkey' },
    values: { decision: 'allow', amount: 80 },
    signature: { credentialId: passkeys[0]?.id },
  });
  const trusted = { passkeys, asked: first.digest };
  expect(await verifyAnswer(answered, trusted)).toBe(true);
  const forged = { ...answered, answer: { ...answered.answer, values: { decision: 'allow', amount: 8_000 } } };
  expect(await verifyAnswer({ ...forged, votes: [forged.answer] } as Interaction, trusted)).toBe(false);

  await page.goto(`${named()}/#/settings?tab=you`);
  await page.getByRole('button', { name: 'Remove passkey: Test device' }).click();
  await page.getByRole('button', { name: 'Remove passkey', exact: true }).click();
  await notice(page, 'Passkey removed.');
  await openRequest(page, second);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
  // Within a second of the removal the page may still offer it, and the server refuses the signature.
  await page.getByText(/you have none yet|you have no such passkey/).waitFor();
  expect((await stage.call<Interaction>(`/v1/interactions/${second.id}`)).votes).toEqual([]);
  await page.goto(`${named()}/#/settings?tab=you`);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByText('This passkey is not known here, or was removed.').waitFor();
  await expectWhole(page);
});

test('[PE151] a page with a token of a responder says to sign in, and leads to the inbox', async () => {
  const thread = await stage.newThread();
  for (const assurance of ['signed-in', 'passkey'] as const) {
    const { id } = await stage.ask(thread, { ...payment, assurance });
    const token = await stage.tokenFor({ interactionId: id });
    const page = await stage.visit(`/a/#${token}`);
    const link = page.getByRole('link', { name: 'Sign in and open the request' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(`${stage.url}/#/inbox/${id}`);
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0);
    await expectAccessible(page);
  }
});

test('[PE150] at an IP address the profile and the sign-in page lead to localhost', async () => {
  const page = await enter(stage, 'settings?tab=you');
  const link = page.getByRole('link', { name: 'open this page at localhost' });
  expect(await link.getAttribute('href')).toBe(`${named()}/#/settings?tab=you`);
  const out = await enter(stage, '', { signedIn: false });
  await out.getByRole('link', { name: 'open this page at localhost' }).waitFor();
  await expectWhole(out);
});

test('[PE152] an admin sets the minimum for approvals', async () => {
  const page = await enter(stage, 'settings?tab=approvals');
  await page.getByRole('radio', { name: 'A person who has signed in' }).click();
  await notice(page, 'Settings saved.');
  await expectWhole(page);
  expect(await stage.call('/v1/settings')).toEqual({ approvalAssurance: 'signed-in' });
});
