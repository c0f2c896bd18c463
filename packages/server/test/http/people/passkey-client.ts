/** People of a test with passkeys, at a server with this public URL. */
import type { AnswerSignature, Interaction, Passkey, Person } from '@holdpoint/protocol';
import { challengeOf, challengeOfDecline } from '@holdpoint/protocol/signing';
import { call, cookieOf, header } from '../access/console-caller.ts';
import { PersonClient } from './person-client.ts';
import { type Claims, type Kind, SoftwareAuthenticator } from './software-authenticator.ts';

export const publicUrl = 'https://approvals.example.com';
export const page = { origin: publicUrl, relyingPartyId: 'approvals.example.com' };
const ofPage = { ...header, origin: publicUrl };

/** Adds a passkey to this person, or reports why not. */
export async function register(
  client: PersonClient,
  {
    device = new SoftwareAuthenticator(page),
    name = 'Laptop',
    claims = {},
  }: { device?: SoftwareAuthenticator; name?: string; claims?: Claims } = {},
) {
  const headers = { ...ofPage, cookie: client.cookie };
  const options = await call(client.url, '/console/passkeys/options', { method: 'POST', headers });
  const response = device.create(options.body as { challenge: string }, claims);
  const reply = await call(client.url, '/console/passkeys', { headers, body: { name, response } });
  return { device, options, response, reply, passkey: reply.body as unknown as Passkey };
}

/** Adds a passkey of this kind, which must be accepted. */
export async function withPasskey(client: PersonClient, kind: Kind = 'ES256'): Promise<SoftwareAuthenticator> {
  const { device, reply } = await register(client, { device: new SoftwareAuthenticator(page, kind) });
  if (reply.status !== 201) throw new Error(`adding a passkey → ${reply.status} ${reply.text}`);
  return device;
}

export const challengeToSignIn = async (url: string): Promise<{ challenge: string }> =>
  (await call(url, '/console/sign-in/passkey/options', { method: 'POST', headers: ofPage })).body as {
    challenge: string;
  };

export const sendSignIn = (url: string, response: unknown, headers: Record<string, string> = {}) =>
  call(url, '/console/sign-in/passkey', { headers: { ...ofPage, ...headers }, body: { response } });

export async function signInWithPasskey(client: PersonClient, device: SoftwareAuthenticator, claims: Claims = {}) {
  const options = await challengeToSignIn(client.url);
  const reply = await sendSignIn(client.url, device.get(options, claims));
  return { reply, client: new PersonClient(client, client.person, cookieOf(reply)) };
}

type Entered = { values?: Record<string, unknown>; payload?: unknown };

export const signatureFor = (
  device: SoftwareAuthenticator,
  asked: Interaction,
  person: Person,
  entered: Entered,
  claims: Claims = {},
): AnswerSignature => device.signText(challengeOf(asked, person.id, entered) ?? 'not valid', claims);

export const declineSignature = (device: SoftwareAuthenticator, asked: Interaction, person: Person): AnswerSignature =>
  device.signText(challengeOfDecline(asked, person.id));

export const sendAnswer = (client: { post: PersonClient['post'] }, { id }: Interaction, body: object) =>
  client.post<Interaction & { code?: string; detail?: string }>(`/v1/interactions/${id}/answers`, body);
