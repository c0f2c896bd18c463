/** The part of the story that people tell: they sign in, vote, claim, sign, and answer for each other. */
import type { Interaction, InvitedPerson } from '@holdpoint/protocol';
import { challengeOf } from '@holdpoint/protocol/signing';
import { call as callAs, signInWith, tokenOf } from '../http/access/console-caller.ts';
import { registerAtLocalhost } from '../http/people/software-authenticator.ts';
import type { Call } from './recorded-calls.ts';

/** The ids with which a test continues. Fixtures from before there were people have none. */
export interface PeopleStory {
  /** A member of the group `ops` with a passkey, and the cookie of her session. */
  dana: { id: string; cookie: string };
  /** Absent. Dana is his deputy. */
  erik: string;
  auditor: string;
  /** Pending, for two people of `ops`. Dana has approved. */
  voted: string;
  /** Pending, claimed by Dana. */
  claimed: string;
  /** Answered by Dana, who signed it with her passkey. */
  signed: string;
  /** Answered by Dana on behalf of Erik. */
  onBehalf: string;
}

interface Teller {
  url: string;
  thread: string;
  call<T = { id: string }>(path: string, body: unknown, more?: Partial<Call> & { again?: boolean }): Promise<T>;
}

const dayMs = 86_400_000;
const fromNow = (ms: number): string => new Date(Date.now() + ms).toISOString();

export async function tellOfPeople({ url, thread, call }: Teller): Promise<PeopleStory> {
  const invite = (name: string, more: object = {}) => call<InvitedPerson>('/v1/people', { name, ...more });
  const enter = async ({ id, invitation }: InvitedPerson) => ({
    id,
    ...(await signInWith(url, tokenOf(invitation?.url ?? ''))),
  });
  const dana = await enter(await invite('Dana', { email: 'dana@example.com', groups: ['ops'] }));
  const erik = await enter(await invite('Erik', { groups: ['ops'] }));
  const auditor = await enter(await invite('Aline', { roles: ['auditor'] }));
  const ofErik = { deputy: { personId: dana.id, from: fromNow(-dayMs), until: fromNow(365 * dayMs) } };
  await call(`/v1/people/${erik.id}`, ofErik, { method: 'PATCH', again: false });
  const device = await registerAtLocalhost({ url }, dana.cookie);
  await call('/v1/identity-providers', {
    ...{ id: 'acme', name: 'Acme', issuer: 'https://id.acme.example', clientId: 'holdpoint', clientSecret: 'hush' },
    ...{ signUp: true, allowedDomains: ['acme.example'], roleClaim: 'roles', roles: { boss: 'admin' } },
  });

  const ask = async (question: object) => {
    const { id } = await call(`/v1/threads/${thread}/interactions`, { kind: 'approval', ...question });
    return call<Interaction>(`/v1/interactions/${id}`, undefined, { method: 'GET', again: false });
  };
  const values = { decision: 'allow' };
  const { id: _, ...headers } = dana;
  /** As Dana, in her session. */
  const act = async ({ id }: Interaction, verb: string, body: object) => {
    const reply = await callAs(url, `/v1/interactions/${id}/${verb}`, { headers, body });
    if (reply.status >= 300) throw new Error(`${verb}: ${reply.status} ${reply.text}`);
  };
  const ops = { responder: { type: 'human', assignees: ['group:ops'] } };
  const voted = await ask({ title: 'Two of us?', ...ops, resolution: { mode: 'quorum', count: 2 } });
  await act(voted, 'answers', { values });
  const claimed = await ask({ title: 'Who takes it?', ...ops });
  await act(claimed, 'claim', { claimForMs: 3_600_000 });
  const onBehalf = await ask({ title: 'For Erik?', responder: { type: 'human', assignees: [`person:${erik.id}`] } });
  await act(onBehalf, 'answers', { values });
  const signed = await ask({ title: 'Pay it?', ...ops, assurance: 'passkey' });
  const signature = device.signText(challengeOf(signed, dana.id, { values }) ?? '');
  await act(signed, 'answers', { values, signature });
  return {
    dana: { id: dana.id, cookie: dana.cookie },
    ...{ erik: erik.id, auditor: auditor.id },
    ...{ voted: voted.id, claimed: claimed.id, signed: signed.id, onBehalf: onBehalf.id },
  };
}
