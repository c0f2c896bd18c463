/** The meaning of each error to a caller, and its remedy. A test compares this with `docs/errors.md`. */
import type { ErrorCode } from '@holdpoint/protocol';

interface Advice {
  means: string;
  todo: string;
}

const noRecord = (todo: string): Advice => ({
  means: 'Your org has no record with this id, or the token has no access to it.',
  todo,
});

export const errorAdvice: Readonly<Record<ErrorCode, Advice>> = {
  'malformed-request': {
    means: 'The server could not read the request as HTTP/1.1.',
    todo: 'Use an HTTP client. Send plain HTTP unless a proxy accepts HTTPS.',
  },
  'malformed-body': {
    means:
      'The body is not JSON in UTF-8, an object in it has a duplicate key or more than 10,000 keys, it is nested deeper than 64 levels, or it has a key such as `__proto__`.',
    todo: 'Send well-formed JSON. `errors` points at the duplicate key.',
  },
  'invalid-input': {
    means: 'A value in the body, the query, the path or a header is invalid. Nothing was stored.',
    todo: 'Read `errors`: each entry points at one invalid value and names the rule.',
  },
  'invalid-cursor': {
    means: 'The cursor is not one that this server returned here.',
    todo: 'Take cursors from `next`, from an event, or from the last `id:` of a stream. Begin with `after=start`.',
  },
  unauthenticated: {
    means: 'There is no `Authorization: Bearer …`, the key was revoked, or the token has expired.',
    todo: 'Send a valid API key, or get a new responder token.',
  },
  forbidden: {
    means: 'The key or token is valid, but does not permit this call.',
    todo: 'Use a key with the role that the detail names.',
  },
  'admin-key-needed': {
    means:
      'An agent key may not let a deadline accept an approval, or let an agent answer one. `errors` points at the part that needs an admin key.',
    todo: 'Change that part (for example, set the outcome of the deadline to `expire` or `decline`), or call with an admin key.',
  },
  'origin-not-allowed': {
    means: 'The public key does not allow the origin of the calling page.',
    todo: 'Add the origin to `allowedOrigins` of the key.',
  },
  'key-disabled': {
    means: 'The public key is disabled.',
    todo: 'Enable it with `PATCH /v1/keys/{keyId}`, or use another key.',
  },
  'wrong-responder': {
    means: 'The question is for a responder of another type, or for named assignees.',
    todo: 'Let an assignee answer: `current.responders` lists them, with their names. An admin key names the person as `responder`.',
  },
  'not-requester': {
    means:
      'The question excludes its requesters (`notRequester`): the people who asked it or started its run or thread, their keys, the tokens and sign-in links that they created while signed in, and all agents.',
    todo: 'Let somebody else answer. `current.responders` lists the assignees. If the requester created your sign-in link, sign in with a passkey or an identity provider.',
  },
  'interaction-claimed': {
    means: 'Another responder has claimed the question. `current.claim` names the responder and the end of the claim.',
    todo: 'Wait until the claim ends, or ask the responder or an admin to release it.',
  },
  'interaction-not-claimed': {
    means: 'Nobody holds a claim on the question. It may have ended by itself.',
    todo: 'Nothing is left to release.',
  },
  'assurance-needed': {
    means:
      'The question needs a person who has signed in, or a signature by their passkey. The call has neither, or its signature is not of this answer.',
    todo: 'Sign in to Holdpoint and answer in the inbox. Keys, tokens, links and programs cannot answer such a question.',
  },
  'route-not-found': { means: 'The path is misspelt or incomplete.', todo: 'Compare the path with this reference.' },
  'thread-not-found': noRecord('Create the thread first, or check the id.'),
  'message-not-found': noRecord('Check the id.'),
  'interaction-not-found': noRecord('Check the id.'),
  'grant-not-found': noRecord('List the grants.'),
  'batch-not-found': {
    means: 'The batch does not exist, was completed, or had its last attempt.',
    todo: 'Claim the next batch. Send an `Idempotency-Key` to repeat a complete safely.',
  },
  'run-not-found': noRecord('Take the id from `GET /v1/runs`, or from the call that begins a run.'),
  'file-not-found': noRecord('Upload the file again, or take the id from the answer.'),
  'range-not-satisfiable': {
    means: 'The file has none of the bytes in `Range`.',
    todo: 'Request a range that begins before the end. `content-range` has the size.',
  },
  'file-too-large': { means: 'The file is larger than its field allows.', todo: 'Send a smaller file.' },
  'file-type-refused': {
    means: 'The field does not accept the type of the content. The name of the file does not matter.',
    todo: 'Send a file of a type in `accept`.',
  },
  'webhook-not-found': noRecord('List the webhooks with `GET /v1/webhooks`.'),
  'delivery-not-found': {
    means: 'The webhook has no such delivery.',
    todo: 'List its deliveries with `GET /v1/webhooks/{webhookId}/deliveries`.',
  },
  'person-not-found': noRecord('List the people with `GET /v1/people`.'),
  'group-not-found': noRecord('List the groups with `GET /v1/groups`.'),
  'passkey-not-found': {
    means: 'The person has no passkey with this id, or it was removed.',
    todo: 'List the passkeys of the person with `GET /v1/people/{personId}`.',
  },
  'session-not-found': {
    means: 'The person has no open session with this id. It may have ended.',
    todo: 'List their sessions with `GET /v1/people/{personId}/sessions`.',
  },
  'provider-not-found': noRecord('List the identity providers with `GET /v1/identity-providers`.'),
  'key-not-found': noRecord('List the keys.'),
  'method-not-allowed': {
    means: 'The path exists, but does not offer this method.',
    todo: 'Use a method in the `Allow` header.',
  },
  'request-timeout': {
    means: 'The headers and the body did not arrive within a minute.',
    todo: 'Repeat the call and send all of it without a pause.',
  },
  'interaction-already-answered': {
    means: 'Another person, a deadline or a grant was faster. `current` names the responder and the time.',
    todo: 'Show the person that answer. Do not repeat the call.',
  },
  'interaction-cancelled': {
    means: 'The requester cancelled the question. `current` has the time.',
    todo: 'Remove the question from the screen.',
  },
  'interaction-expired': {
    means: 'The deadline has passed, even if it has not fired yet.',
    todo: 'Ask again with a later deadline if you still need the answer.',
  },
  'interaction-has-votes': {
    means: 'The question has votes, so its text, fields and recommendations cannot change.',
    todo: 'Cancel the interaction and create another.',
  },
  'interaction-not-due': {
    means: 'The server fired a deadline too early. This error is never sent over HTTP.',
    todo: 'Nothing.',
  },
  'already-voted': {
    means:
      'Each person votes once, with every session, token and key. The vote of a deputy is also that of the absent person.',
    todo: 'Wait for the others.',
  },
  'version-conflict': {
    means: '`expectedVersion` is not the current version, because another call changed the record.',
    todo: 'Read the record, apply your change to it, and send its version.',
  },
  'question-changed': {
    means:
      '`digest` is not the digest of the current question. Nothing was counted. `current` has its version and digest.',
    todo: 'Show the current question, and let the person decide again.',
  },
  'message-not-streaming': {
    means: 'The message is complete or cancelled, or nothing was appended for a minute. `current` has its state.',
    todo: 'Post another message.',
  },
  'person-exists': {
    means: 'Another person of the org has this email, in any case. `current` has the id of that person.',
    todo: 'Use that person, or another email. A deactivated person keeps the email; an admin can activate or change them.',
  },
  'group-exists': {
    means: 'The id of a group is unique in its org.',
    todo: 'Use that group, or choose another id.',
  },
  'provider-exists': {
    means: 'The id of an identity provider is unique in its org, and is part of its addresses.',
    todo: 'Change that provider, or choose another id.',
  },
  'provider-read-only': {
    means: 'The identity provider is in `HOLDPOINT_OIDC` or `--oidc-file`, so the API cannot change it.',
    todo: 'Change the configuration and restart the server.',
  },
  'too-many-providers': {
    means: 'An org can have at most 20 identity providers of its own.',
    todo: 'Remove one that nobody uses.',
  },
  'last-admin': {
    means:
      'This person is the only active admin, so the org would have nobody who can manage it. People who were invited and never signed in do not count.',
    todo: 'Make another person an admin, and let them sign in first.',
  },
  'person-deactivated': {
    means: 'The person was deactivated, so they cannot sign in or answer.',
    todo: 'Activate the person first, with `PATCH /v1/people/{personId}` and `status: "active"`.',
  },
  'link-used': {
    means: 'Each sign-in link works once, and until it expires.',
    todo: 'Ask an admin for a new one, or run `holdpoint open` on the server.',
  },
  'org-exists': { means: 'The id of an org is unique on a server.', todo: 'Choose another id.' },
  'thread-exists': {
    means: 'The id of a thread is unique in its org.',
    todo: 'Use that thread. Send an `Idempotency-Key` to repeat a create safely.',
  },
  'grant-revoked': { means: 'The grant was revoked earlier. `current` has the time and the actor.', todo: 'Nothing.' },
  'lease-lost': {
    means: 'The lease ended and another worker has the batch, or the batch waits for a retry. `current` has the state.',
    todo: 'Stop working on it. Send heartbeats well before the lease ends, or claim with a longer lease.',
  },
  'run-waiting': {
    means: 'The run waits for an input or a time. Only a batch continues it.',
    todo: 'Claim batches with its agent, and begin the run with a claimed batch.',
  },
  'run-ended': {
    means: 'The run was completed, has failed or was cancelled, and cannot change. `current` has the state.',
    todo: 'Stop working on it. Restart the run to do it again.',
  },
  'run-open': {
    means: 'A thread has one run at a time, and this run is still running or waiting. `current` has the state.',
    todo: 'Wait for its end, or cancel it first.',
  },
  'run-superseded': {
    means: 'The thread has a later run, or its agent was removed.',
    todo: 'Post a message to begin a new run.',
  },
  'delivery-pending': {
    means: 'The delivery is still being attempted, so it cannot be replayed yet.',
    todo: 'Wait, or look at `nextAttemptAt`.',
  },
  'idempotency-key-reused': {
    means: 'The key was used for another call or another body, or for an answer by another API key.',
    todo: 'Use a new key for each new call, and the same key only to repeat a call.',
  },
  'callback-not-found': {
    means: 'The question was created without a `callbackUrl`.',
    todo: 'Give `callbackUrl` when you ask. It cannot be added later.',
  },
  'secrets-not-found': {
    means: 'The question has no answer yet, or no field of the answer is secret.',
    todo: 'Take secrets only if `answer.secretFields` is present.',
  },
  'secrets-taken': {
    means: 'Secrets can be read once, and these have been read.',
    todo: 'Keep the result of the first call. If it was lost, ask again.',
  },
  'body-too-large': {
    means: 'The body is larger than the limit (1,024 KB unless configured).',
    todo: 'Send less, or raise `--max-body-kb`.',
  },
  'unsupported-media-type': { means: 'The content type is not JSON.', todo: 'Send `Content-Type: application/json`.' },
  'invalid-answer': {
    means: 'The answer is invalid. Nothing was changed, and the question is still open.',
    todo: 'Show each message of `errors` at the field of its pointer, and let the person try again.',
  },
  'rate-limited': {
    means: 'The key or person made too many calls per second, or too many uploads or sessions.',
    todo: 'Wait for the seconds in `Retry-After`, then repeat the call.',
  },
  'headers-too-large': { means: 'The headers are larger than 16 KB together.', todo: 'Send fewer or shorter headers.' },
  internal: {
    means: 'The server had an unexpected error.',
    todo: 'Find the id in `instance` in the log of the server, and report it.',
  },
  'provider-unavailable': {
    means:
      'The server cannot check the access token of an MCP client, because the identity provider does not respond, or rejects the server.',
    todo: 'Repeat the call after `Retry-After`. Check that the server reaches the provider, and its client secret.',
  },
  'storage-unavailable': {
    means:
      'The disk rejected the write (full, read-only or missing), or the database was unreachable or too slow. Nothing was changed.',
    todo: 'Repeat the call after `Retry-After`. Free or repair the disk, and check the database.',
  },
  'replay-under-way': {
    means: 'A replay of many deliveries of this webhook is still running.',
    todo: 'Repeat the call later. It skips the deliveries of the first replay.',
  },
  'too-many-webhooks': {
    means: 'The org has reached its limit of webhooks.',
    todo: 'Delete a webhook, or let one endpoint serve several purposes with its filter.',
  },
  busy: {
    means: 'Other calls changed the same record during a hundred attempts of this call.',
    todo: 'Repeat the call after `Retry-After`.',
  },
  'shutting-down': {
    means: 'The server is stopping. It finishes running calls and rejects new ones.',
    todo: 'Repeat the call. The next server answers it.',
  },
};
