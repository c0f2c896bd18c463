/** What each error means to a caller and what to do about it. `docs/errors.md` says the same; a test compares them. */
import type { ErrorCode } from '@holdpoint/protocol';

export interface Advice {
  means: string;
  todo: string;
}

export const errorAdvice: Readonly<Record<ErrorCode, Advice>> = {
  'malformed-request': {
    means: 'What arrived could not be read as HTTP/1.1.',
    todo: 'Use an HTTP client; send plain HTTP where the server speaks it.',
  },
  'malformed-body': {
    means:
      'The body is not JSON in UTF-8, an object in it has a duplicate key or more than 10,000 keys, it is nested deeper than 64 levels, or it has a key such as `__proto__`.',
    todo: 'Send well-formed JSON. `errors` points at the duplicate key.',
  },
  'invalid-input': {
    means: 'Something in the body, the query, the path or a header does not fit. Nothing was stored.',
    todo: 'Read `errors`: each entry points at one thing that is wrong and says how it should be.',
  },
  'invalid-cursor': {
    means: 'It was made up, cut off, or comes from somewhere else.',
    todo: 'Take cursors from `next`, from an event, or from the last `id:` of a stream; begin with `after=start`.',
  },
  unauthenticated: {
    means: 'There is no `Authorization: Bearer …`, or the key was revoked, or the token has expired.',
    todo: 'Send a valid API key, or get a new responder token.',
  },
  forbidden: {
    means: 'The key or token is valid, and what was asked is beyond its rights.',
    todo: 'Use a key with the role the detail names.',
  },
  'admin-key-needed': {
    means:
      'An agent key may not let a deadline accept an approval, or let an agent answer one. `errors` points at the part that needs an admin key.',
    todo: 'Change that part (for example, set the outcome of the deadline to `expire` or `decline`), or call with an admin key.',
  },
  'origin-not-allowed': {
    means: 'The page that calls, by its Origin header, is none of those the public key is for.',
    todo: 'Add the origin to `allowedOrigins` of the key.',
  },
  'key-disabled': {
    means: 'Somebody has switched the public key off.',
    todo: 'Switch it on again by `PATCH /v1/keys/{keyId}`, or use another.',
  },
  'wrong-responder': {
    means: 'The question is for a responder of another type, or for named assignees.',
    todo: 'Let one of those who were asked answer. An admin key names the person as `responder`.',
  },
  'route-not-found': {
    means: 'The path is misspelt, or a part of it is missing.',
    todo: 'Compare the path with this reference.',
  },
  'thread-not-found': {
    means: 'None in this org has this id, or the token does not reach it.',
    todo: 'Create the thread first, or check the id.',
  },
  'message-not-found': {
    means: 'None in this org has this id, or the token does not reach its thread.',
    todo: 'Check the id.',
  },
  'interaction-not-found': {
    means: 'None in this org has this id, or the token does not reach it.',
    todo: 'Check the id.',
  },
  'grant-not-found': { means: 'None in this org has this id.', todo: 'List the grants.' },
  'batch-not-found': {
    means: 'It was completed or given up, or never was.',
    todo: 'Claim the next one. To make a complete repeatable, send an `Idempotency-Key`.',
  },
  'run-not-found': {
    means: 'It never was, or belongs to another org.',
    todo: 'Take the id from `GET /v1/runs`, or from what begins a run.',
  },
  'file-not-found': {
    means: 'It never was, was deleted, or belongs to somebody else.',
    todo: 'Upload it again, or take the id from the answer.',
  },
  'range-not-satisfiable': {
    means: 'None of the bytes that Range asks for is in the file.',
    todo: 'Ask for a range that begins before its end; `content-range` has its size.',
  },
  'file-too-large': { means: 'The file has more bytes than its field takes.', todo: 'Send a smaller one.' },
  'file-type-refused': {
    means: 'What the file holds is not of a type that its field takes, whatever its name says.',
    todo: 'Send a file of a type that `accept` names.',
  },
  'webhook-not-found': {
    means: 'It was deleted, or never was, or belongs to another org.',
    todo: 'List the webhooks with `GET /v1/webhooks`.',
  },
  'delivery-not-found': {
    means: 'This webhook has no such delivery.',
    todo: 'List its deliveries with `GET /v1/webhooks/{webhookId}/deliveries`.',
  },
  'key-not-found': { means: 'None in this org has this id.', todo: 'List the keys.' },
  'method-not-allowed': {
    means: 'The path exists and does not offer this method.',
    todo: 'Use one of the methods in the `Allow` header.',
  },
  'request-timeout': {
    means: 'The headers and the body did not arrive within a minute.',
    todo: 'Repeat the call and send all of it without a pause.',
  },
  'interaction-already-answered': {
    means: 'Somebody, a deadline or a grant was faster. `current` says who and when.',
    todo: 'Show the person the answer that stands. Do not repeat the call.',
  },
  'interaction-cancelled': {
    means: 'The asker has withdrawn the question; `current` says when.',
    todo: 'Take the question off the screen.',
  },
  'interaction-expired': {
    means: 'The deadline has passed, even if it has not fired yet.',
    todo: 'Ask again with a later deadline if the answer still matters.',
  },
  'interaction-has-votes': {
    means: 'Somebody has voted, so the words, fields and recommendations stay as they were shown.',
    todo: 'Cancel the interaction and ask anew.',
  },
  'interaction-not-due': {
    means: 'A deadline was to fire before its time. It concerns the server itself and is not sent over HTTP.',
    todo: 'Nothing.',
  },
  'already-voted': {
    means: 'Each responder votes once.',
    todo: 'Wait for the others.',
  },
  'version-conflict': {
    means: '`expectedVersion` is not the current version: somebody changed it in between.',
    todo: 'Read it, apply the change to what it is now, and send the new version.',
  },
  'question-changed': {
    means:
      '`digest` is not that of the question as it reads now. Nothing was counted. `current` has its version and digest.',
    todo: 'Show the question anew, and let the person decide again.',
  },
  'message-not-streaming': {
    means:
      'It was posted whole, completed or cancelled, or nothing was appended for a minute. `current` says how it stands.',
    todo: 'Post another message.',
  },
  'org-exists': { means: 'Ids of orgs are unique on a server.', todo: 'Choose another id.' },
  'thread-exists': {
    means: 'Ids of threads are unique in an org.',
    todo: 'Use it. To make a create repeatable, send an `Idempotency-Key`.',
  },
  'grant-revoked': { means: 'The grant was revoked before. `current` says when and by whom.', todo: 'Nothing.' },
  'lease-lost': {
    means:
      'The lease ended and another worker has taken the batch over, or it waits to be tried again. `current` says which.',
    todo: 'Stop working on it. Send heartbeats well before the lease ends, or claim with a longer one.',
  },
  'run-waiting': {
    means: 'It rests until an input comes for it, or its time. Only a batch lets it go on.',
    todo: 'Claim batches with its agent, and begin the run with the one that is handed out.',
  },
  'run-ended': {
    means: 'It was completed, has failed or was cancelled, and does not change any more. `current` says which.',
    todo: 'Stop working on it. To do it again, restart it.',
  },
  'run-open': {
    means: 'A thread has one run at a time, and this one is still running or waiting. `current` says which.',
    todo: 'Wait for its end, or cancel it first.',
  },
  'run-superseded': {
    means:
      'There has been another run since, or the thread has no agent any more, so doing this one again would go back in the thread.',
    todo: 'Post a message to begin a new run.',
  },
  'delivery-pending': {
    means: 'It is attempted until it is taken or given up, so there is nothing to replay yet.',
    todo: 'Wait, or look at `nextAttemptAt`.',
  },
  'idempotency-key-reused': {
    means: 'The key was used for another call or another body, or for an answer by another API key.',
    todo: 'Use a new key for each new thing, and the same key only to repeat the same call.',
  },
  'callback-not-found': {
    means: 'The question was asked without a `callbackUrl`.',
    todo: 'Give `callbackUrl` when you ask. It cannot be added later.',
  },
  'secrets-not-found': {
    means: 'Nobody has answered yet, or no field of the answer is secret.',
    todo: 'Take secrets only where `answer.secretFields` names some.',
  },
  'secrets-taken': {
    means: 'They are handed out once, and were.',
    todo: 'Keep what the first call returned. If it was lost, ask again.',
  },
  'body-too-large': {
    means: 'It is larger than the server takes (1,024 KB unless configured).',
    todo: 'Send less, or raise `--max-body-kb`.',
  },
  'unsupported-media-type': {
    means: 'The body is not declared as JSON.',
    todo: 'Send `Content-Type: application/json`.',
  },
  'invalid-answer': {
    means: 'Nothing was changed, and the question is still open.',
    todo: 'Show each message of `errors` at the field its pointer names, and let the person try again.',
  },
  'rate-limited': {
    means: 'More calls a second than this key or person may make, or too many uploads or sessions.',
    todo: 'Wait for the seconds in `Retry-After`, then repeat the call.',
  },
  'headers-too-large': {
    means: 'They are larger than 16 KB together.',
    todo: 'Send fewer or shorter headers.',
  },
  internal: {
    means: 'The server met something nobody foresaw.',
    todo: 'Look in the log of the server for the id in `instance`, and report it.',
  },
  'storage-unavailable': {
    means:
      'The disk rejected the write (full, read-only or missing), or the database was unreachable or too slow. Nothing was changed.',
    todo: 'Repeat the call after `Retry-After`. Free or repair the disk, and check the database.',
  },
  'replay-under-way': {
    means: 'A replay of many deliveries of this webhook has not been worked off yet.',
    todo: 'Repeat the call later. What the first one takes is not taken twice.',
  },
  'too-many-webhooks': {
    means: 'The org has as many webhooks as it may have.',
    todo: 'Delete one that is not needed, or let one endpoint serve several purposes by its filter.',
  },
  busy: {
    means: 'The same thing changed a hundred times while this call tried to change it.',
    todo: 'Repeat the call after `Retry-After`.',
  },
  'shutting-down': {
    means: 'It finishes what is under way and takes nothing new.',
    todo: 'Repeat the call; the next server answers it.',
  },
};
