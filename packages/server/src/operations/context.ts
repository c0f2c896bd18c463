/** The context of every operation: ports, a clock and ids. None of them is a concrete store or transport. */
import type {
  AnswerSignature,
  Attempt,
  Batch,
  EventFilter,
  HoldpointService,
  Problem,
  Role,
  StopSignal,
} from '@holdpoint/protocol';
import type { BlobStore } from '../blobs/blob-store.ts';
import type { Caller, Issuers, TokenScope } from '../domain/caller.ts';
import type { StoredProvider } from '../domain/people/identity-provider.ts';
import type { ChallengePurpose, RelyingParty } from '../domain/people/passkeys.ts';
import type { VerifiedAccount } from '../domain/people/sign-in.ts';
import type { StoredWebhook } from '../domain/webhooks/webhook.ts';
import type { Store } from '../stores/store.ts';
import type { Viewings } from './interactions/viewings.ts';
import type { SearchedLogs } from './runs/searched-logs.ts';

/** The function that runs a verb. The service checks its input and the rights of its caller (`caller-service.ts`). */
export type Operation<Verb extends keyof HoldpointService> = (
  context: Context,
  caller: Caller,
  input: Parameters<HoldpointService[Verb]>[0],
) => ReturnType<HoldpointService[Verb]>;

/** Called when a timer of this id is due. Does nothing if another call or node was faster. */
export type FireTimer<Tools extends keyof Context = never> = (
  context: Pick<Context, 'store' | 'clock' | Tools>,
  timer: { orgId: string; id: string },
) => Promise<void>;

export interface Context {
  store: Store;
  blobs: BlobStore;
  clock: Clock;
  newId(): string;
  waits: Waits;
  searchedLogs: SearchedLogs;
  viewings: Viewings;
  tokens: ResponderTokens;
  streamTokens: StreamTokens;
  links: FileLinks;
  passkeys: Passkeys;
  /** The URL of the server for people. Undefined before it listens, and if there is none. */
  publicUrl(): string | undefined;
  dispatch: Dispatch;
  webhooks: Webhooks;
  identityProviders: IdentityProviders;
  callbacks: {
    /** Returns the secret that signs the callbacks of this key. */
    secretOf(key: Caller & { kind: 'key' }): string;
  };
  /** Set if a dialect calls the verbs. Only a dialect may write the original request of an interaction. */
  isDialect?: true;
  /** The dialect request that is being translated into verbs. Its content identifies a repeated request. */
  request?: { idempotencyKey: string; content: unknown };
}

export interface Clock {
  /** Milliseconds since 1970. It may jump; order never depends on it. */
  now(): number;
}

export interface Waits {
  /** Calls the waiter at every change of the topic from now on: the id of an interaction, or the turn of a thread. */
  add(topic: string, waiter: Waiter): void;
  remove(topic: string, waiter: Waiter): void;
}

/** The topic of the runs of a thread. Two orgs can have threads with the same id, also with the id of an interaction. */
export const turnTopic = (orgId: string, threadId: string): string => `turn ${orgId} ${threadId}`;

export interface Waiter {
  change(): void;
  /** The server is stopping. */
  end(): void;
}

interface Dispatch {
  /** Resolves with the first batches that are ready, already leased, or with none when the time is up. */
  claim(wanted: WantedBatches): Promise<Batch[]>;
  /**
   * Orgs whose dispatch has begun, as far as this node knows. Dispatch never ends. The promise resolves once the inputs
   * from before the beginning are read.
   */
  begun: Map<string, Promise<void>>;
  /** Call it once the timer of an org is stored. Resolves like the promise of `begun`, after 2 s at the latest. */
  begin(orgId: string): Promise<void>;
}

export interface WantedBatches {
  orgId: string;
  workerId: string;
  /** The agents whose queues are wanted. Undefined: the queues without an agent. */
  agents?: readonly string[];
  leaseMs: number;
  waitMs: number;
  limit: number;
  signal?: StopSignal;
}

export interface ResponderTokens {
  /** Returns the caller of a token, or undefined if it is forged, malformed, expired or revoked. */
  verify(token: string): Promise<Caller | undefined>;
  sign(claims: { orgId: string; responderId: string; scope: TokenScope; expiresAt: number } & Issuers): Promise<string>;
}

export interface StreamTokens {
  /** Throws if the key of the claims is no API key, such as that of a console session without one. */
  sign(claims: StreamClaims, expiresAt: number): Promise<string>;
}

/** The stream that a token opens, and the key that made the token. */
export interface StreamClaims {
  orgId: string;
  keyId: string;
  role: Role;
  filter: EventFilter;
  /** The cursor before which the stream cannot begin. */
  after: string;
  ephemeral: boolean;
}

/** Reads what authenticators send. Each check throws nothing: it returns undefined if the response is not valid. */
export interface Passkeys {
  /** The COSE numbers of the algorithms that a passkey may have. */
  algorithms: readonly number[];
  /** Returns a new challenge, valid for five minutes and bound to this purpose and text. */
  newChallenge(purpose: ChallengePurpose, boundTo: string): string;
  isChallenge(challenge: string, purpose: ChallengePurpose, boundTo: string): boolean;
  /** Returns the new passkey of a registration. */
  readRegistration(
    response: object,
    expected: { challenge: string; relyingParty: RelyingParty },
  ): Promise<{ id: string; publicKey: string } | undefined>;
  /** Verifies an assertion by this key, as JWK text. The challenge is base64url. */
  isSigned(
    signature: AnswerSignature,
    expected: { publicKey: string; challenge: string; relyingPartyId: string; origins: readonly string[] },
  ): Promise<boolean>;
}

/** Signatures of links to files. */
export interface FileLinks {
  sign(link: LinkClaims): string;
  isSignedBy(link: LinkClaims, signature: string): boolean;
}

export interface LinkClaims {
  orgId: string;
  fileId: string;
  /** In seconds since 1970. */
  expires: number;
}

/** Speaks OpenID Connect with identity providers. Its methods throw `SignInRefused` within bounded time. */
export interface IdentityProviders {
  /** The providers of the configuration, for the org of the operator. */
  configured: readonly StoredProvider[];
  /** Returns why no provider may have this issuer, if so. */
  checkIssuer(issuer: string, orgId: string): Promise<Problem | undefined>;
  /** Asks a provider for its discovery document and its keys, and keeps nothing. */
  checkDiscovery(owner: Omit<OwnedProvider, 'settings'>, issuer: string): Promise<DiscoveryFacts>;
  /** Returns the address at which the user signs in. */
  authorizationUrl(provider: OwnedProvider, request: AuthorizationRequest): Promise<string>;
  /** Checks the response of the provider to one request, and returns the account of the user. */
  finish(provider: OwnedProvider, request: AuthorizationRequest, search: string): Promise<VerifiedSignIn>;
  /** Returns the address that ends the session at the provider, if the provider has one. */
  endSessionUrl(provider: OwnedProvider, ending: { idToken?: string; returnTo: string }): Promise<string | undefined>;
  /** Checks a token of back-channel logout. Undefined if it is not valid. */
  readLogoutToken(provider: OwnedProvider, token: string): Promise<LogoutToken | undefined>;
  /** Checks an access token, and returns its account. Undefined if it is not valid. */
  readAccessToken(provider: OwnedProvider, token: string, use: AccessTokenUse): Promise<AccountAtProvider | undefined>;
}

/** A user of a provider. */
export interface AccountAtProvider {
  issuer: string;
  subject: string;
}

/** The use of an access token in one call. */
export interface AccessTokenUse {
  /** The address for which the token must be issued. */
  resource: string;
  /** Called before the provider is asked about a token. May throw. */
  limit(): void;
}

/** A provider, and where its settings come from: only those of an operator may have a private address. */
export interface OwnedProvider {
  orgId: string;
  settings: StoredProvider;
  mayBePrivate: boolean;
}

export interface DiscoveryFacts {
  hasBackchannelLogout: boolean;
}

export interface AuthorizationRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  /** The secret of PKCE. The provider gets its hash first. */
  verifier: string;
}

export interface VerifiedSignIn extends VerifiedAccount {
  idToken: string;
  /** The session of the user at the provider. */
  providerSessionId?: string;
}

export interface LogoutToken {
  issuer: string;
  id: string;
  subject?: string;
  providerSessionId?: string;
}

export interface Webhooks {
  /** Returns why no webhook may have this URL, if so. */
  checkUrl(url: string, orgId: string): Promise<Problem | undefined>;
  /** Makes one attempt with an event that is in no log. */
  test(webhook: StoredWebhook, orgId: string): Promise<Attempt>;
  /** Call it after the commit of a webhook: its sender looks at once. */
  changed(): void;
}
