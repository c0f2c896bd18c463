/** Passkeys of a person: added, found, used and removed. */
import { type Fault, limits, type Passkey, type Person } from '@holdpoint/protocol';
import { timestamp } from '../state.ts';

/** The relying party that a passkey belongs to: the host name is its id, the origin that of the pages that may use it. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/** Finds the person of a passkey, under its id. */
export interface StoredPasskey extends RelyingParty {
  orgId: string;
  personId: string;
}

/** Challenges of this purpose are refused for any other. */
export type ChallengePurpose = 'register' | 'sign-in';

export const challengeMs = 5 * 60_000;

export const passkeyOf = ({ passkeys }: Person, id: string): Passkey | undefined =>
  passkeys.find((passkey) => passkey.id === id);

export function withPasskey(person: Person, passkey: Passkey): Person | Fault {
  if (person.passkeys.length >= limits.passkeysOfPerson)
    return {
      code: 'invalid-input',
      detail: `A person has at most ${limits.passkeysOfPerson} passkeys. Remove one first.`,
    };
  return { ...person, passkeys: [...person.passkeys, passkey], updatedAt: passkey.createdAt };
}

export const withoutPasskey = (person: Person, id: string, now: number): Person => ({
  ...person,
  passkeys: person.passkeys.filter((passkey) => passkey.id !== id),
  updatedAt: timestamp(now),
});

export const usedPasskey = (person: Person, id: string, now: number): Person => {
  const lastUsedAt = timestamp(now);
  const passkeys = person.passkeys.map((passkey) => (passkey.id === id ? { ...passkey, lastUsedAt } : passkey));
  return { ...person, passkeys, lastSeenAt: lastUsedAt };
};
