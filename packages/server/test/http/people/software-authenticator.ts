/** An authenticator in a test: makes keys and signs as hardware does, and lies if a test asks it to. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AnswerSignature } from '@holdpoint/protocol';
import { call, header } from '../access/console-caller.ts';

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer | string): string => Buffer.from(data).toString('base64url');

export interface Page {
  origin: string;
  relyingPartyId: string;
}

/** Claims of a signature that the page did not ask for. */
export interface Claims extends Partial<Page> {
  type?: string;
  challenge?: string;
  isPresent?: boolean;
  isVerified?: boolean;
  crossOrigin?: boolean;
}

export type Kind = 'ES256' | 'RS256' | 'EdDSA';

export class SoftwareAuthenticator {
  readonly id = base64url(randomBytes(32));
  readonly page: Page;
  readonly kind: Kind;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(page: Page, kind: Kind = 'ES256') {
    this.page = page;
    this.kind = kind;
    const pair =
      kind === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : kind === 'RS256'
          ? generateKeyPairSync('rsa', { modulusLength: 2048 })
          : generateKeyPairSync('ed25519');
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  get jwk(): string {
    return JSON.stringify(this.#publicKey.export({ format: 'jwk' }));
  }

  /** Answers `navigator.credentials.create`, as the browser writes it to JSON. */
  create({ challenge }: { challenge: string }, claims: Claims = {}) {
    const client = this.#client({ type: 'webauthn.create', challenge, ...claims });
    const credential = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credential.byteLength);
    const attested = Buffer.concat([Buffer.alloc(16), length, credential, this.#coseKey()]);
    const authData = Buffer.concat([this.#data(claims, 0x40), attested]);
    const attestation = cbor(
      new Map<unknown, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    const response = { clientDataJSON: base64url(client), attestationObject: base64url(attestation) };
    return { id: this.id, rawId: this.id, type: 'public-key', response, clientExtensionResults: {} };
  }

  /** Answers `navigator.credentials.get`. */
  get({ challenge }: { challenge: string }, claims: Claims = {}) {
    const { authenticatorData, clientDataJSON, signature } = this.sign(challenge, claims);
    return {
      ...{ id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} },
      response: { authenticatorData, clientDataJSON, signature, userHandle: null },
    };
  }

  /** Signs the SHA-256 of this text, as the page of a question asks for it. */
  signText(text: string, claims: Claims = {}): AnswerSignature {
    return this.sign(base64url(sha256(text)), claims);
  }

  sign(challenge: string, claims: Claims = {}): AnswerSignature {
    const client = this.#client({ type: 'webauthn.get', challenge, ...claims });
    const data = this.#data(claims, 0);
    const signature = sign(
      this.kind === 'EdDSA' ? null : 'sha256',
      Buffer.concat([data, sha256(client)]),
      this.#privateKey,
    );
    return {
      credentialId: this.id,
      authenticatorData: base64url(data),
      clientDataJSON: base64url(client),
      signature: base64url(signature),
    };
  }

  #client({ type, challenge, origin = this.page.origin, crossOrigin = false }: Claims): string {
    return JSON.stringify({ type, challenge, origin, crossOrigin });
  }

  #data(
    { relyingPartyId = this.page.relyingPartyId, isPresent = true, isVerified = true }: Claims,
    more: number,
  ): Buffer {
    const flags = (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0) | more;
    return Buffer.concat([sha256(relyingPartyId), Buffer.from([flags]), Buffer.alloc(4)]);
  }

  #coseKey(): Buffer {
    const jwk = this.#publicKey.export({ format: 'jwk' });
    const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');
    if (this.kind === 'RS256')
      return cbor(
        new Map<unknown, unknown>([
          [1, 3],
          [3, -257],
          [-1, bytes(jwk.n)],
          [-2, bytes(jwk.e)],
        ]),
      );
    if (this.kind === 'EdDSA')
      return cbor(
        new Map<unknown, unknown>([
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, bytes(jwk.x)],
        ]),
      );
    return cbor(
      new Map<unknown, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(jwk.x)],
        [-3, bytes(jwk.y)],
      ]),
    );
  }
}

/** Adds a passkey to the person of a session, as a page at http://localhost does. Returns it. */
export async function registerAtLocalhost({ url }: { url: string }, cookie: string): Promise<SoftwareAuthenticator> {
  const host = `localhost:${new URL(url).port}`;
  const headers = { ...header, host, origin: `http://${host}`, cookie };
  const options = await call(url, '/console/passkeys/options', { method: 'POST', headers });
  const device = new SoftwareAuthenticator({ origin: headers.origin, relyingPartyId: 'localhost' });
  const body = { name: 'A key', response: device.create(options.body as { challenge: string }) };
  const reply = await call(url, '/console/passkeys', { headers, body });
  if (reply.status !== 201) throw new Error(`adding a passkey → ${reply.status} ${reply.text}`);
  return device;
}

/** CBOR of what an attestation has: numbers, texts, bytes and maps. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.byteLength), value]);
  const entries = [...(value as Map<unknown, unknown>)];
  return Buffer.concat([head(5, entries.length), ...entries.flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
