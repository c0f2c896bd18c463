// cspell:ignore asker
/** The examples of the reference. A test sends every body to a real server and checks every response by its schema. */
const agentId = '01a1dffc-bdb5-7600-9a0d-01c1006ac690';
const agent = { type: 'agent', id: agentId, via: 'key', keyId: agentId, name: 'release-bot' };
const interactionId = '01a1dffc-cea4-764b-93bc-5148b676963d';
const grantId = '01a1e007-5d10-7c55-b6f0-3c1f9a7d2e44';
const mia = { type: 'human', id: 'mia' };
const by = { ...mia, via: 'key', keyId: '01a1dffd-02a7-7c1e-8d55-2f9b6c40e713' };

/** The questions of the guide, one of each kind. */
export const questions = {
  approval: {
    kind: 'approval',
    title: 'Deploy 4.2 to production?',
    arguments: { env: 'production', percent: 10 },
    fields: [{ name: 'percent', type: 'number', label: 'Share of traffic', min: 1, max: 100, integer: true }],
  },
  choice: {
    title: 'Which region first?',
    options: [
      { value: 'eu', label: 'Europe' },
      { value: 'us', label: 'United States', recommended: true },
    ],
    recommendations: { choice: 'us' },
    deadline: { at: '2030-01-31T12:00:00Z', outcome: 'recommended' },
  },
  form: {
    title: 'Why was the order refunded?',
    fields: [
      { name: 'reason', type: 'select', label: 'Reason', required: true, options: ['late', 'damaged'] },
      {
        name: 'photo',
        type: 'image_upload',
        label: 'Photo of the damage',
        visibleIf: { all_of: [{ field: 'reason', op: 'equals', value: 'damaged' }] },
      },
      { name: 'amount', type: 'number', label: 'Amount', required: true, min: 0, step: 0.01 },
    ],
  },
  input: { title: 'What should the release be called?' },
} as const;

const pending = {
  id: interactionId,
  threadId: 'release',
  status: 'pending',
  version: 1,
  kind: 'approval',
  title: questions.approval.title,
  arguments: questions.approval.arguments,
  fields: [
    {
      name: 'decision',
      type: 'select',
      label: questions.approval.title,
      display: 'buttons',
      required: true,
      options: [
        { value: 'allow', label: 'Allow', kind: 'allow_once', variant: 'primary' },
        { value: 'deny', label: 'Deny', kind: 'reject_once', variant: 'danger' },
      ],
    },
    { ...questions.approval.fields[0], default: 10 },
  ],
  blocking: true,
  responder: { type: 'human' },
  resolution: { mode: 'first' },
  origin: { type: 'agent' },
  votes: [],
  createdBy: agent,
  createdAt: '2026-11-15T16:14:09.572Z',
  updatedAt: '2026-11-15T16:14:09.572Z',
};

const answer = {
  id: '01a1dffc-ced3-7727-8d20-0f2f9b4d5878',
  decision: 'accepted',
  values: { decision: 'allow', percent: 25 },
  by,
  at: '2026-11-15T16:20:41.619Z',
};

const answered = {
  ...pending,
  status: 'answered',
  closedReason: 'answered',
  version: 2,
  votes: [answer],
  answer,
  updatedAt: answer.at,
  closedAt: answer.at,
  closedBy: by,
};

export const events = [
  {
    cursor: '0000000000000003',
    threadId: 'release',
    seq: 3,
    type: 'interaction.answered',
    at: answer.at,
    actor: by,
    interactionId,
    data: { version: 2, answer },
  },
];

const alwaysOptions = [
  { value: 'once', label: 'Allow once', kind: 'allow_once' },
  { value: 'always', label: 'Always allow', kind: 'allow_always' },
];

const grant = {
  id: grantId,
  key: 'deploy:staging',
  scope: 'thread',
  decision: 'allow',
  covers: {
    asker: { type: 'agent', id: 'release-bot' },
    origin: { type: 'tool', reference: 'deploy' },
    kind: 'approval',
    title: 'Deploy to staging?',
    fields: [{ name: 'decision', type: 'select', required: true, options: alwaysOptions }],
    arguments: { env: 'staging' },
    variable: ['version'],
  },
  threadId: 'release',
  interactionId,
  by,
  voters: [by],
  createdAt: '2026-11-15T16:20:41.619Z',
  expiresAt: '2026-11-16T16:20:41.619Z',
};

const batch = {
  id: '01a1dffc-d1a0-7c2b-8f1e-5a3d9c7b2e10',
  threadId: 'release',
  kind: 'outcomes',
  workerId: 'worker-1',
  attempt: 1,
  leasedUntil: '2026-11-15T16:21:12.020Z',
  inputs: [
    {
      id: '0000000000000003',
      type: 'answer',
      seq: 3,
      at: answer.at,
      actor: by,
      interaction: { id: interactionId, kind: 'approval', title: pending.title, status: 'answered', answer },
    },
  ],
};

const webhook = {
  id: '01a1e00c-4b70-7e51-b1a8-2f6d0c9e7a33',
  url: 'https://hooks.example.com/holdpoint',
  events: ['interaction.answered', 'interaction.declined', 'interaction.expired'],
  format: 'standard',
  order: 'thread',
  concurrency: 8,
  timeoutMs: 15_000,
  headerNames: [],
  status: 'enabled',
  createdAt: '2026-11-15T16:31:02.512Z',
  updatedAt: '2026-11-15T16:31:02.512Z',
};

const delivery = {
  id: '01a1e00d-02c4-7a1e-8f0b-6f4f7f0a9b12',
  webhookId: webhook.id,
  event: { cursor: '0000000000000003', threadId: 'release', seq: 3, type: 'interaction.answered' },
  status: 'pending',
  attempts: [{ at: '2026-11-15T16:31:05.010Z', durationMs: 41, status: 503, error: 'The response had status 503.' }],
  nextAttemptAt: '2026-11-15T16:31:05.802Z',
  createdAt: '2026-11-15T16:31:05.004Z',
};

const thread = {
  id: 'release',
  version: 1,
  title: 'Release 4.2',
  createdBy: agent,
  createdAt: '2026-11-15T16:14:09.549Z',
  updatedAt: '2026-11-15T16:14:09.549Z',
};

const said = 'The build is green. I would like to deploy.';
const message = {
  id: '01a1dffd-02c4-7a1e-8f0b-6f4f7f0a9b11',
  threadId: 'release',
  role: 'agent',
  blocks: [{ type: 'message', payload: { text: said, format: 'plain' } }],
  by: agent,
  at: '2026-11-15T16:14:22.404Z',
};

const run = {
  id: '01a1e012-7f30-7b1c-8d55-2a9c4e61f0b3',
  threadId: 'release',
  agent: 'deployer',
  status: 'waiting',
  version: 4,
  fromSeq: 2,
  deliveredSeq: 2,
  waitingFor: [{ type: 'interaction', interactionId }],
  entries: 2,
  createdAt: '2026-11-15T16:14:22.960Z',
  updatedAt: '2026-11-15T16:14:23.412Z',
};
const { waitingFor: _none, ...open } = run;
const running = { ...open, status: 'running', version: 1, entries: 0, updatedAt: run.createdAt };
const entry = { call: 1, type: 'step', name: 'build', state: 'done', data: { sha: '4f1c2ab' } };

const person = {
  id: '01a1e014-6a20-7c41-9e0d-5b7c3f1a2d90',
  name: 'Mia Keller',
  email: 'mia@example.com',
  status: 'invited',
  roles: ['member'],
  groups: ['finance'],
  identities: [],
  passkeys: [],
  createdAt: '2026-11-15T16:31:02.512Z',
  updatedAt: '2026-11-15T16:31:02.512Z',
};
const group = { id: 'finance', name: 'Finance', createdAt: '2026-11-15T16:30:41.020Z' };
const deactivation = {
  id: '01a1e015-10b2-7d0e-8c4f-93d2a60b7e15',
  at: '2026-11-15T17:05:12.114Z',
  type: 'person.deactivated',
  actor: { type: 'human', id: '01a1e014-0d11-7b52-a3f4-0c9e8d7b6a51', via: 'passkey', name: 'Ada Rossi' },
  subject: { type: 'person', id: person.id, name: person.name },
  data: { changed: { status: 'deactivated' } },
};

export const problem = {
  type: '/docs#error-invalid-answer',
  title: 'The answer is invalid',
  status: 422,
  code: 'invalid-answer',
  detail: 'Share of traffic: enter 100 or less.',
  retryable: false,
  instance: '01a1dffc-cec3-77b4-96c5-078a6b971fb3',
  errors: [{ pointer: '/values/percent', code: 'max', message: 'Share of traffic: enter 100 or less.' }],
};

export interface Example {
  /** The part of the URL after the path. */
  query?: string;
  body?: unknown;
  response?: unknown;
  /** Options of curl. */
  more?: string;
}

export const examples: Readonly<Record<string, Example>> = {
  'POST /v1/threads': {
    body: { id: 'release', title: 'Release 4.2' },
    response: thread,
  },
  'PATCH /v1/threads/{threadId}': {
    body: { expectedVersion: 1, isArchived: true },
    response: {
      ...thread,
      version: 2,
      archivedAt: '2026-11-15T17:02:11.180Z',
      updatedAt: '2026-11-15T17:02:11.180Z',
    },
  },
  'GET /v1/threads/{threadId}/log': { query: '?after=2', response: { data: events } },
  'POST /v1/threads/{threadId}/messages': { body: { text: said }, response: message },
  'GET /v1/threads/{threadId}/messages': { query: '?order=newest&limit=1', response: { data: [message] } },
  'POST /v1/messages/{messageId}/append': {
    body: { text: 'The build ' },
    response: {
      ...message,
      blocks: [{ type: 'message', payload: { text: 'The build ', format: 'plain' } }],
      state: 'streaming',
      updatedAt: '2026-11-15T16:14:22.871Z',
    },
  },
  'POST /v1/messages/{messageId}/complete': {
    body: { text: said },
    response: { ...message, updatedAt: '2026-11-15T16:14:25.016Z' },
  },
  'POST /v1/threads/{threadId}/interactions': { body: questions.approval, response: pending },
  'GET /v1/interactions': { query: '?status=pending&threadId=release' },
  'GET /v1/interactions/count': { query: '?status=pending&threadId=release', response: { count: 3 } },
  'PATCH /v1/interactions/{interactionId}': {
    body: { expectedVersion: 1, deadline: { at: '2030-01-31T12:00:00Z', outcome: 'decline' } },
  },
  'POST /v1/interactions/{interactionId}/answers': {
    body: { values: { decision: 'allow', percent: 25 }, responder: mia },
    response: answered,
  },
  'POST /v1/interactions/{interactionId}/decline': { body: { reason: 'Not on a Friday.', responder: mia } },
  'POST /v1/interactions/{interactionId}/cancel': { body: { reason: 'The build was cancelled.' } },
  'GET /v1/interactions/{interactionId}/wait': { query: '?timeoutMs=60000', response: answered },
  'GET /v1/interactions/{interactionId}/callback': {
    response: {
      ...{ interactionId, url: 'https://workflows.example.com/holdpoint', status: 'delivered' },
      attempts: [{ at: '2026-11-15T16:20:41.700Z', durationMs: 42, status: 204 }],
      settledAt: '2026-11-15T16:20:41.742Z',
    },
  },
  'GET /v1/callback-secret': { response: { secret: 'whsec_K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' } },
  'POST /v1/interactions/{interactionId}/secrets': { response: { values: { token: 'correct horse battery staple' } } },
  'POST /v1/dispatch/claim': {
    body: { workerId: 'worker-1', waitMs: 20_000, limit: 5 },
    response: { data: [batch] },
  },
  'POST /v1/dispatch/batches/{batchId}/heartbeat': {
    body: { workerId: 'worker-1', extendMs: 60_000 },
    response: { leasedUntil: '2026-11-15T16:21:42.020Z' },
  },
  'POST /v1/dispatch/batches/{batchId}/complete': { body: { workerId: 'worker-1' } },
  'POST /v1/dispatch/batches/{batchId}/fail': {
    body: { workerId: 'worker-1', reason: 'The model did not answer.', retryDelayMs: 5_000 },
  },
  'POST /v1/dispatch/batches/{batchId}/run': { body: { workerId: 'worker-1' }, response: { run: running } },
  'POST /v1/runs/{runId}/advance': {
    body: {
      expectedVersion: 1,
      entries: [entry],
      status: 'waiting',
      waitingFor: [{ type: 'message' }, { type: 'time', until: '2030-01-31T12:00:00Z' }],
    },
  },
  'GET /v1/runs': { query: '?status=waiting&agent=deployer', response: { data: [run] } },
  'GET /v1/runs/{runId}/journal': { response: { data: [{ index: 1, ...entry, at: '2026-11-15T16:14:23.102Z' }] } },
  'POST /v1/runs/{runId}/cancel': { body: { reason: 'The build was cancelled.' } },
  'GET /v1/threads/{threadId}/turn': { query: '?timeoutMs=60000', response: { isSettled: true, run } },
  'PATCH /v1/dispatch': { body: { mode: 'sequential', from: 'now' } },
  'POST /v1/webhooks': {
    body: { url: webhook.url, events: webhook.events, order: 'thread' },
    response: { ...webhook, secret: 'whsec_…' },
  },
  'PATCH /v1/webhooks/{webhookId}': { body: { status: 'enabled', from: 'last' } },
  'POST /v1/webhooks/{webhookId}/test': {
    response: { at: '2026-11-15T16:31:04.211Z', durationMs: 38, status: 204 },
  },
  'POST /v1/webhooks/{webhookId}/rotate-secret': {
    body: { keepOldForSeconds: 3_600 },
    response: { ...webhook, secret: 'whsec_…' },
  },
  'GET /v1/webhooks/{webhookId}/deliveries': { query: '?status=pending', response: { data: [delivery] } },
  'POST /v1/webhooks/{webhookId}/replay': { body: { since: '2026-11-15T00:00:00Z', status: 'dead' } },
  'GET /v1/grants': { query: '?key=deploy:staging', response: { data: [grant] } },
  'POST /v1/keys': {
    body: { name: 'deploy bot', role: 'agent' },
    response: {
      id: '01a1e00b-11f0-7d3c-9a70-8a5f2c0b6d21',
      name: 'deploy bot',
      role: 'agent',
      createdAt: '2026-11-15T16:31:02.512Z',
      secret: 'hp_…',
    },
  },
  'POST /v1/people': {
    body: { name: person.name, email: person.email, groups: person.groups },
    response: {
      ...person,
      invitation: { url: 'http://127.0.0.1:7400/#/sign-in/…', expiresAt: '2026-11-22T16:31:02.512Z' },
    },
  },
  'GET /v1/people': { query: '?group=finance&status=active', response: { data: [{ ...person, status: 'active' }] } },
  'PATCH /v1/people/{personId}': {
    body: { status: 'deactivated' },
    response: { ...person, status: 'deactivated', updatedAt: deactivation.at },
  },
  'POST /v1/groups': { body: { id: group.id, name: group.name }, response: group },
  'POST /v1/groups/{groupId}/members': { body: { personId: person.id }, response: person },
  'POST /v1/identity-providers/check': {
    body: { issuer: 'https://id.acme.example/realms/staff' },
    response: { isReady: false, reason: 'provider-unavailable', detail: 'ENOTFOUND' },
  },
  'GET /v1/admin-events': { query: '?type=person.deactivated', response: { data: [deactivation] } },
  'POST /v1/admin-events/export': {
    body: { from: '2026-11-01T00:00:00Z', until: '2026-12-01T00:00:00Z' },
    response: { lines: `${JSON.stringify(deactivation)}\n` },
  },
  'POST /v1/responder-tokens': {
    body: { responderId: 'mia', threadId: 'release', ttlSeconds: 900 },
    response: { token: 'hpr_…', expiresAt: '2026-11-15T16:46:02.512Z' },
  },
  'POST /v1/stream-tokens': {
    body: { threadId: 'release', ttlSeconds: 60 },
    response: {
      token: 'hps_…',
      expiresAt: '2026-11-15T16:32:02.512Z',
      url: 'http://127.0.0.1:7400/v1/events?token=hps_…',
    },
  },
  'POST /v1/orgs': { body: { id: 'acme' } },
  'GET /v1/events': { query: '?after=start', more: '-N' },
};
