import { answerLimits } from './answer-limits.ts';

/** Every bound of the protocol in one place; lengths count Unicode code points, bytes count UTF-8 JSON. */
export const limits = {
  ...answerLimits,
  titleLength: 1_000,
  bodyLength: 20_000,
  messageLength: 100_000,
  blocks: 100,
  assignees: 100,
  emailLength: 254,
  groupsOfPerson: 100,
  /** One person is the deputy of at most this many at the same time. */
  absentPeople: 50,
  groupIdLength: 100,
  identityProviders: 20,
  /** 366 days. */
  deputyMs: 31_622_400_000,
  /** The most lines of one page of an exported log. */
  exportedEvents: 1_000,
  /** Seven days. */
  invitationSeconds: 604_800,
  passkeysOfPerson: 20,
  votes: 100,
  quorumGroups: 20,
  /** One minute to a day. */
  claimForMs: { min: 60_000, max: 86_400_000 },
  reasonLength: 2_000,
  idempotencyKeyLength: 255,
  pageSize: 200,
  /** The most items that are counted, and that a list can skip. */
  counted: 10_000,
  /** Thirty days. */
  overviewHours: 720,
  /** The most interactions that an overview sums up. */
  overviewInteractions: 10_000,
  waitMs: 60_000,
  /** Ten years; a grant without a time is valid until it is revoked. */
  grantForMs: 315_360_000_000,
  responderTokenSeconds: 604_800,
  /** Five minutes. */
  streamTokenSeconds: 300,

  reminders: 10,
  /** A year. */
  remindBeforeMs: 31_536_000_000,
  escalations: 10,

  webhooksPerOrg: 100,
  webhookConcurrency: 64,
  webhookTimeoutMs: { min: 100, max: 30_000 },
  webhookHeaders: 20,
  webhookHeaderLength: 4_096,
  webhookOldSecretSeconds: 604_800,

  claimedBatches: 50,
  claimedAgents: 100,
  leaseMs: { min: 1_000, max: 3_600_000 },
  dispatchMaxWaitMs: 600_000,
  retryDelayMs: 3_600_000,

  runWaits: 100,
  journalEntries: 100_000,
  journalEntryBytes: 262_144,

  fields: 100,
  labelLength: 1_000,
  descriptionLength: 20_000,
  patternLength: 1_000,
  /** RE2 instructions; matching costs at most about 11 ns for each instruction and character. */
  patternInstructions: 600,
  patternUnicodeClasses: 10,
  optionsPerField: 500,
  visibleIfRules: 20,
  textareaRows: 100,
  maxStars: 10,
  acceptEntries: 50,
  canvasPixels: 10_000,
  /** A week. */
  fileLinkSeconds: 604_800,

  origins: 50,
  originLength: 300,
  intents: 100,
  quickQuestions: 20,
  /** One hour. */
  sessionSeconds: 3_600,
  customerIdLength: 200,
  variables: 50,
  variablesBytes: 4_096,
  telemetryBytes: 4_096,
  telemetryIdLength: 128,

  jsonBytes: 65_536,
  originalBytes: 1_048_576,
  payloadSchemaBytes: 65_536,
  payloadSchemaDepth: 64,
  payloadSchemaPatterns: 100,
  /** The deepest nesting of a check, through schema and payload together. */
  payloadNesting: 500,
  /** Elementary steps one payload check may take; 2 million take about 100 ms. */
  payloadSteps: 2_000_000,

  /**
   * Keys of one object in a JSON body. Each time V8 lists the keys of a large object, it takes up to 0.6 µs per key.
   */
  objectKeys: 10_000,
} as const;

/** 10000 as 10,000. Not by way of Intl, whose data would take seven megabytes of every server's memory. */
export const thousands = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
