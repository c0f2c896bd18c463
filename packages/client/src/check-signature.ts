/** Checks WebAuthn signatures with WebCrypto alone: by ES256, RS256 and EdDSA keys. */
import type { AnswerSignature } from '@holdpoint/protocol';
import { bytesOf, fromBase64Url, toBase64Url, webCrypto } from './web-crypto.ts';

/** The page that asked for a signature, as the signature names it. */
export interface SignedBy {
  origin: string;
  /** The SHA-256 of the host name that the passkey belongs to. */
  relyingPartyHash: string;
}

const userPresent = 0x01;
const userVerified = 0x04;
/** The hash, the flags and the counter. */
const shortestData = 37;

/**
 * Returns who asked for this signature, or undefined if it is not of this key, not over this challenge, or the person was
 * not verified. The key is the JSON text of a JWK, the challenge base64url.
 */
export async function checkSignature(
  { authenticatorData, clientDataJSON, signature }: AnswerSignature,
  { publicKey, challenge }: { publicKey: string; challenge: string },
): Promise<SignedBy | undefined> {
  try {
    const [data, client, given] = [authenticatorData, clientDataJSON, signature].map(fromBase64Url) as Bytes[];
    if (!data || !client || !given) return undefined;
    const said = JSON.parse(await new Blob([client]).text()) as Record<string, unknown>;
    const isExpected = said.type === 'webauthn.get' && said.challenge === challenge && said.crossOrigin !== true;
    const flags = data.byteLength < shortestData ? 0 : (data[32] ?? 0);
    if (!isExpected || !(flags & userPresent) || !(flags & userVerified)) return undefined;
    const subtle = webCrypto();
    const signed = await bytesOf(data, await subtle.digest('SHA-256', client));
    const jwk = JSON.parse(publicKey) as PublicJwk;
    const algorithm = algorithms[`${jwk.kty} ${jwk.crv ?? ''}`];
    if (!algorithm) return undefined;
    const key = await subtle.importKey('jwk', { ...jwk, ext: true, key_ops: ['verify'] }, algorithm, false, ['verify']);
    const raw = jwk.kty === 'EC' ? rawSignature(given) : given;
    if (!raw || !(await subtle.verify(algorithm, key, raw, signed))) return undefined;
    return { origin: String(said.origin), relyingPartyHash: toBase64Url(data.subarray(0, 32)) };
  } catch {
    // A text that is no JSON, or a key that is none.
    return undefined;
  }
}

type Bytes = Uint8Array<ArrayBuffer>;

interface PublicJwk {
  kty: string;
  crv?: string;
}

const algorithms: Record<string, { name: string; namedCurve?: string; hash?: string }> = {
  'EC P-256': { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  'RSA ': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  'OKP Ed25519': { name: 'Ed25519' },
};

/** Returns the two numbers of an ECDSA signature as WebCrypto takes them. Authenticators write them as DER. */
function rawSignature(der: Bytes): Bytes | undefined {
  if (der[0] !== 0x30 || der[1] !== der.byteLength - 2) return undefined;
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    if (der[at] !== 0x02 || length === 0) return undefined;
    const number = der.subarray(at + 2, at + 2 + length);
    at += 2 + length;
    // A zero comes before a number whose first bit is set.
    const digits = number[0] === 0 ? number.subarray(1) : number;
    if (number.byteLength < length || digits.byteLength > 32) return undefined;
    raw.set(digits, end - digits.byteLength);
  }
  return at === der.byteLength ? raw : undefined;
}
