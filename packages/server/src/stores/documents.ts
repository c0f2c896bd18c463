/** The documents of a store: records of many types that are found by their id or alias. */
import type { AdminEvent, Group, OrgSettings, Person, StoredFile } from '@holdpoint/protocol';
import type { StoredCallback } from '../domain/callbacks/callback.ts';
import type { DispatchOverrides, ThreadQueue } from '../domain/dispatch/thread-queue.ts';
import type { StoredDraft } from '../domain/drafts.ts';
import type { MessageStream } from '../domain/message-stream.ts';
import type { StoredProvider } from '../domain/people/identity-provider.ts';
import type { StoredPasskey } from '../domain/people/passkeys.ts';
import type { StandIn } from '../domain/people/person.ts';
import type { ProviderSession, StoredSession, StoredSignInLink } from '../domain/people/session.ts';
import type { StoredIdentity } from '../domain/people/sign-in.ts';
import type { StoredWebhook } from '../domain/webhooks/webhook.ts';

/** The record of each type of document. A document is found by its id or its alias, never by its content. */
interface Documents {
  /** The position of a reader of the log. */
  reader: { cursor: string };
  webhook: StoredWebhook;
  /** Stored under its earlier name. cspell:ignore lane */
  lane: ThreadQueue;
  'dispatch-settings': DispatchOverrides;
  /** The text so far of a streamed message, under the id of the message. */
  stream: MessageStream;
  file: StoredFile;
  /** A file of a thread, under an id that orders the list of files. */
  'thread-file': { fileId: string };
  draft: StoredDraft;
  /** Under the id of the interaction. */
  callback: StoredCallback;
  /** The alias is the email, in lower case. */
  person: Person;
  group: Group;
  /** The absent people of a deputy, under the id of the deputy. */
  'deputy-of': { people: StandIn[] };
  /** Under an id that orders the newest first. */
  'admin-event': AdminEvent;
  /** Under the id of the person, a space, and the id of the session. */
  session: StoredSession;
  /** Under the hash of its secret. */
  'sign-in-link': StoredSignInLink;
  /** Under the token's hash, or the responder whose tokens of this time and before are invalid. */
  'revoked-token': { at: string };
  /** Under its id. */
  'identity-provider': StoredProvider;
  /** Under the hash of its issuer and subject, so that one person has it. */
  identity: StoredIdentity;
  /** Under the hash of the provider's session id, a space, and the id of our session. */
  'provider-session': ProviderSession;
  /** The state of a sign-in or the id of a logout token, by its hash: each is used once. */
  'used-once': { at: string };
  /** In the operator's org, under the id of the credential, because a sign-in does not name its org. */
  passkey: StoredPasskey;
  /** In the operator's org, under the challenge. A challenge that is stored here was used. */
  'used-challenge': { at: string };
  /** One for each org. */
  settings: OrgSettings;
  /** One for each org, so that only one person becomes the first admin. */
  'first-admin': { personId: string };
}

export type DocumentType = keyof Documents;

/** A conflict if the stored revision is not the expected one. */
export type DocumentChange<T extends DocumentType = DocumentType> = {
  [Type in T]: {
    type: Type;
    id: string;
    /** null removes it. */
    record: Documents[Type] | null;
    /** null if the document must not exist. */
    expected: string | null;
    /** Another name of the document while it has this record. A conflict if another document has the name. */
    alias?: string;
  };
}[T];

export interface Document<T extends DocumentType> {
  id: string;
  /** Differs after every change and never repeats, even if the document is removed and created again. */
  revision: string;
  record: Documents[T];
}
