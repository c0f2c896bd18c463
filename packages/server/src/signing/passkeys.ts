/** Passkeys: challenges, registrations and signatures of authenticators. */
import { hash, randomBytes } from 'node:crypto';
import { checkSignature } from '@holdpoint/client/verify';
import { challengeMs } from '../domain/people/passkeys.ts';
import type { Clock, Passkeys } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';
import { hmac, isSameSignature, serverSecret } from './server-secret.ts';

/** The algorithms that browsers everywhere can verify: EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257];

const nonceBytes = 16;
const timeBytes = 8;

export async function passkeyKeeper(store: Pick<Store, 'getOrCreateMeta'>, clock: Clock): Promise<Passkeys> {
  const secret = await serverSecret(store, 'passkey-secret');
  const sign = (head: Buffer, purpose: string, boundTo: string) =>
    hmac(secret, ['passkey', head.toString('base64url'), purpose, boundTo]);
  return {
    algorithms,
    newChallenge(purpose, boundTo) {
      const head = Buffer.concat([randomBytes(nonceBytes), Buffer.alloc(timeBytes)]);
      head.writeBigUInt64BE(BigInt(clock.now() + challengeMs), nonceBytes);
      return Buffer.concat([head, sign(head, purpose, boundTo)]).toString('base64url');
    },
    isChallenge(challenge, purpose, boundTo) {
      const bytes = Buffer.from(challenge, 'base64url');
      const head = bytes.subarray(0, nonceBytes + timeBytes);
      if (head.byteLength < nonceBytes + timeBytes) return false;
      const right = Buffer.concat([head, sign(head, purpose, boundTo)]).toString('base64url');
      return isSameSignature(challenge, right) && Number(head.readBigUInt64BE(nonceBytes)) > clock.now();
    },
    async readRegistration(response, { challenge, relyingParty }) {
      // Loaded with the first registration: its parsers of certificates take 60 ms and 10 MB.
      const [{ verifyRegistrationResponse }, { cose, decodeCredentialPublicKey }] = await Promise.all([
        import('@simplewebauthn/server'),
        import('@simplewebauthn/server/helpers'),
      ]);
      try {
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
          expectedChallenge: challenge,
          expectedOrigin: relyingParty.origin,
          expectedRPID: relyingParty.id,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        });
        if (!verified || !registrationInfo) return undefined;
        const { id, publicKey } = registrationInfo.credential;
        const jwk = jwkOf(decodeCredentialPublicKey(publicKey) as unknown as CoseKey, cose.COSEKTY);
        return jwk && { id, publicKey: JSON.stringify(jwk) };
      } catch {
        // It throws for every response that is not valid.
        return undefined;
      }
    },
    async isSigned(signature, { publicKey, challenge, relyingPartyId, origins }) {
      const by = await checkSignature(signature, { publicKey, challenge });
      return (
        by !== undefined &&
        by.relyingPartyHash === hash('sha256', relyingPartyId, 'base64url') &&
        origins.includes(by.origin)
      );
    },
  };
}

interface CoseKey {
  get(label: number): unknown;
}

/** Returns the key in the form that WebCrypto imports. Labels and curves are those of COSE (RFC 9053). */
function jwkOf(key: CoseKey, kinds: { OKP: number; EC2: number; RSA: number }): object | undefined {
  const text = (label: number) => Buffer.from(key.get(label) as Uint8Array).toString('base64url');
  const [kind, curve] = [key.get(1), key.get(-1)];
  if (kind === kinds.OKP && curve === 6) return { kty: 'OKP', crv: 'Ed25519', x: text(-2) };
  if (kind === kinds.EC2 && curve === 1) return { kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) };
  return kind === kinds.RSA ? { kty: 'RSA', n: text(-1), e: text(-2) } : undefined;
}
