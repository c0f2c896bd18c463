/** Example requests of each kind and dialect. A test sends every one to the server. */
import type { DialectName } from './asking.ts';

/** Requests by the name of the example. */
type Examples = Readonly<Record<string, object>>;

const hourMs = 3_600_000;
const inHours = (hours: number): string => new Date(Math.ceil(Date.now() / hourMs + hours) * hourMs).toISOString();

const native = (): Examples => ({
  'Approval with arguments to edit': {
    kind: 'approval',
    title: 'Deploy 4.2 to production?',
    body: 'All **412 tests** are green. The canary has served 1 % of traffic for an hour.',
    arguments: { env: 'production', percent: 10 },
    fields: [{ name: 'percent', type: 'number', label: 'Share of traffic', min: 1, max: 100, integer: true }],
  },
  Choice: {
    title: 'Which region first?',
    options: [
      { value: 'eu', label: 'Europe', description: '61 % of the customers' },
      { value: 'us', label: 'United States', recommended: true },
      { value: 'ap', label: 'Asia Pacific' },
    ],
    recommendations: { choice: 'us' },
  },
  'Several choices': {
    title: 'Which checks should run?',
    options: ['Unit tests', 'Browser tests', 'Load test', 'Security scan'],
    minSelections: 1,
    maxSelections: 3,
  },
  Question: { title: 'What should the release be called?' },
  'Form with a condition': {
    title: 'Why was the order refunded?',
    fields: [
      { name: 'reason', type: 'select', label: 'Reason', required: true, options: ['late', 'damaged', 'other'] },
      {
        name: 'details',
        type: 'textarea',
        label: 'What happened?',
        required: true,
        visibleIf: { all_of: [{ field: 'reason', op: 'equals', value: 'other' }] },
      },
      { name: 'amount', type: 'number', label: 'Amount', required: true, min: 0, step: 0.01 },
    ],
    submitLabel: 'Record the refund',
  },
  'Form with every type of field': {
    title: 'One of each',
    fields: [
      { type: 'heading', text: 'Texts' },
      { name: 'text', type: 'text', label: 'Text', placeholder: 'Anything' },
      { name: 'textarea', type: 'textarea', label: 'Long text', rows: 3 },
      { name: 'email', type: 'email', label: 'Email' },
      { name: 'tel', type: 'tel', label: 'Telephone' },
      { name: 'url', type: 'url', label: 'Address' },
      { name: 'password', type: 'password', label: 'Password', description: 'Handed out once, and never shown.' },
      { type: 'divider' },
      { type: 'heading', text: 'Numbers and times' },
      { name: 'number', type: 'number', label: 'Number', min: 0, max: 10 },
      { name: 'rating', type: 'rating', label: 'Rating', maxStars: 5 },
      { name: 'date', type: 'date', label: 'Date' },
      { name: 'time', type: 'time', label: 'Time' },
      { name: 'datetime', type: 'datetime', label: 'Date and time' },
      { type: 'divider' },
      { type: 'heading', text: 'Decisions' },
      { name: 'checkbox', type: 'checkbox', label: 'I have read the plan' },
      { name: 'confirm', type: 'confirm', label: 'Restart as well?', confirmLabel: 'Restart', denyLabel: 'Leave it' },
      { name: 'select', type: 'select', label: 'One of a list', options: ['red', 'green', 'blue'] },
      { name: 'radio', type: 'radio', label: 'One of a few', options: ['small', 'large'] },
      { name: 'multi', type: 'multi_select', label: 'Several', options: ['a', 'b', 'c'], maxSelections: 2 },
      { type: 'divider' },
      { type: 'heading', text: 'Files' },
      { name: 'file', type: 'file_upload', label: 'A file' },
      { name: 'image', type: 'image_upload', label: 'A picture' },
      { name: 'signature', type: 'signature', label: 'Your signature' },
      { type: 'paragraph', text: 'A type of your own is shown as text, unless your page brings a control for it.' },
      { name: 'iban', type: 'custom', customType: 'iban', label: 'IBAN' },
    ],
  },
  Signature: {
    title: 'Sign the release protocol',
    body: 'Release **4.2**, built from `4f1c2ab`, tested on Friday.',
    fields: [
      { name: 'signature', type: 'signature', label: 'Signature', required: true },
      { name: 'name', type: 'text', label: 'Name in print', required: true },
    ],
  },
  Upload: {
    title: 'Attach the invoice',
    fields: [
      {
        ...{ name: 'invoice', type: 'file_upload', label: 'Invoice', required: true },
        ...{ accept: ['application/pdf', 'image/*'], maxSizeMb: 10 },
      },
    ],
  },
  Rating: {
    title: 'How did the release go?',
    fields: [
      { name: 'stars', type: 'rating', label: 'Rating', maxStars: 5, required: true },
      { name: 'why', type: 'textarea', label: 'What should change?' },
    ],
  },
  'Quorum of two': {
    kind: 'approval',
    title: 'Delete the archive of 2019?',
    arguments: { bucket: 'archive-2019', objects: 48_112 },
    resolution: { mode: 'quorum', count: 2 },
    responder: { type: 'human', assignees: ['mia', 'omar', 'lee'] },
  },
  'Deadline with reminders': {
    title: 'Ship before the weekend?',
    options: ['ship', 'wait'],
    recommendations: { choice: 'wait' },
    deadline: { at: inHours(24), outcome: 'recommended', remindBeforeMs: [hourMs, 15 * 60_000] },
    escalations: [{ at: inHours(20), assignees: ['on-call'] }],
    responder: { type: 'human', assignees: ['mia'] },
  },
  'Always allowed from now on': {
    kind: 'approval',
    title: 'Restart a service?',
    arguments: { service: 'billing', reason: 'It has used all of its memory.' },
    options: [
      { value: 'once', label: 'Allow once', kind: 'allow_once', variant: 'primary' },
      { value: 'always', label: 'Always allow', kind: 'allow_always' },
      { value: 'deny', label: 'Deny', kind: 'reject_once', variant: 'danger' },
    ],
    grant: { key: 'restart', scope: 'thread', variable: ['reason'], forMs: 24 * hourMs },
  },
  'Answer by a schema of yours': {
    title: 'Which servers are affected?',
    payloadSchema: {
      type: 'object',
      required: ['hosts'],
      properties: {
        hosts: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[a-z0-9-]+$' } },
        severity: { enum: ['low', 'high'] },
      },
    },
  },
});

const chatRequests = (): Examples => ({
  Choice: {
    type: 'choice',
    title: 'Which environment?',
    config: {
      options: [
        { id: 'staging', label: 'Staging' },
        { id: 'production', label: 'Production' },
      ],
    },
  },
  'Text input': {
    type: 'text_input',
    title: 'Which version?',
    body: 'As it is tagged, such as `4.2.0`.',
    config: { placeholder: '4.2.0', validation: { minLength: 3, maxLength: 20 } },
  },
  Form: {
    type: 'form',
    title: 'Plan the maintenance',
    config: {
      fields: [
        { name: 'day', type: 'date', label: 'Day', required: true },
        { name: 'hours', type: 'number', label: 'Hours', min: 1, max: 8 },
      ],
      submitLabel: 'Plan it',
    },
    expiresAt: inHours(48),
  },
});

const inputRequest = (callId: string): object => ({
  run_id: 'run-1',
  tool_call_id: callId,
  requested_responder_type: 'human',
  title: 'Deploy where?',
  description: 'The build is green.',
  fields: [
    {
      ...{ name: 'env', type: 'select', label: 'Environment', required: true },
      options: [{ value: 'staging', recommended: true }, { value: 'production' }],
    },
    { name: 'notes', type: 'textarea', label: 'Notes' },
    { name: 'restart', type: 'confirm', label: 'Restart as well?', confirmLabel: 'Restart', denyLabel: 'Leave it' },
  ],
  recommendations: { env: 'staging' },
  expires_at: inHours(24),
});

const agentService = (): Examples => ({
  Approval: {
    ...{ runId: 'run-1', attemptId: 'attempt-1', kind: 'approval' },
    prompt: { title: 'Run this command?', description: '`rm -rf build/`' },
    options: [
      { id: 'once', label: 'Allow once', kind: 'allow_once' },
      { id: 'deny', label: 'Deny', kind: 'reject_once' },
    ],
    origin: { type: 'tool', reference: 'shell' },
    deadlineAt: inHours(1),
  },
  Choice: {
    ...{ runId: 'run-1', attemptId: 'attempt-1', kind: 'choice' },
    prompt: { title: 'Which branch?' },
    options: [
      { id: 'main', label: 'main', kind: 'answer' },
      { id: 'next', label: 'next', kind: 'answer' },
    ],
  },
  Input: {
    ...{ runId: 'run-1', attemptId: 'attempt-1', kind: 'input' },
    prompt: { title: 'What is the ticket?', description: 'Such as OPS-417.' },
  },
});

/** Functions, because deadlines must lie in the future. */
export const examplesOf: Record<DialectName, () => Examples> = {
  native,
  'chat-requests': chatRequests,
  'input-requests': () => ({ Form: inputRequest('call-1') }),
  'agent-service': agentService,
  mcp: () => ({ create_input_request: inputRequest('call-2') }),
};
