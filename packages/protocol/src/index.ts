export {
  type Actor,
  ActorSchema,
  type ActorType,
  type Block,
  BlockSchema,
  type FreeObject,
  FreeObjectSchema,
  GivenIdSchema,
  isTimestamp,
  outerId,
  sameActor,
} from './base-schemas.ts';
export {
  type AnswerOf,
  type AnswerOfFields,
  type ApprovalAsk,
  type ApprovalOptions,
  type Ask,
  type AskOptions,
  approval,
  cardChoice,
  choice,
  form,
  input,
} from './builders.ts';
export { type CheckedAnswer, checkAnswerValues } from './check-answer-values.ts';
export { checkShape } from './check-schema.ts';
export { defined } from './defined.ts';
export { currentScheme, schemeOf } from './digest-scheme.ts';
export { type ErrorCode, errorTable, type Fault, fail, HoldpointError } from './errors.ts';
export type { EphemeralEvent, EventData, InteractionEventType, LogEvent, LogEventOf } from './event.ts';
export {
  EphemeralEventSchema,
  EventSchema,
  type EventType,
  EventTypeSchema,
  ephemeralTypes,
  eventTypes,
} from './event.ts';
export {
  checkbox,
  confirm,
  custom,
  date,
  datetime,
  divider,
  email,
  type FieldSpec,
  fileUpload,
  heading,
  imageUpload,
  multiSelect,
  number,
  paragraph,
  password,
  radio,
  rating,
  select,
  signature,
  tel,
  text,
  textarea,
  time,
  url,
} from './field-builders.ts';
export { type CheckedFields, checkFields } from './fields/check-fields.ts';
export { codePoints } from './fields/check-text.ts';
export { acceptOf, accepts } from './fields/check-upload.ts';
export type { UploadField } from './fields/field.ts';
export {
  type Field,
  type FieldOf,
  FieldSchema,
  type FieldType,
  type FieldValue,
  type FileRef,
  FileRefSchema,
  fieldSchemas,
  type InputField,
  type Option,
  OptionSchema,
  type Values,
  type VisibleIf,
  type VisibleIfRule,
  VisibleIfSchema,
} from './fields/field.ts';
export { isInputField, isSecretField } from './fields/input-field.ts';
export type { JsonSchema } from './fields/json-schema.ts';
export { fieldsToJsonSchema } from './fields/json-schema.ts';
export { validateValues } from './fields/validate-values.ts';
export { type ValidatedValues, type ValuesValidator, valuesValidator } from './fields/values-validator.ts';
export { visibleFields } from './fields/visible-fields.ts';
export { type AskedForGood, coverageOf, offersAlways } from './grant-coverage.ts';
export { hiddenCharacter } from './hidden-character.ts';
export {
  type Answer,
  AnswerSchema,
  type Cancel,
  CancelSchema,
  type CreateInteraction,
  CreateInteractionSchema,
  type Dialect,
  type Interaction,
  InteractionSchema,
  type Status,
  StatusSchema,
  type UpdateInteraction,
  UpdateInteractionSchema,
} from './interaction.ts';
export { canonicalJson, checkJson, isObject, type JsonBounds, jsonEqual } from './json.ts';
export { limits, thousands } from './limits.ts';
export { type Approval, approvalOf, type Outcome, outcomeOf, type ReadingOptions, type ValuesOf } from './outcome.ts';
export { matchesPattern, type PatternMatcher, patternFault } from './pattern.ts';
export { hasSecret } from './payload/schema-object.ts';
export { checkPayloadSchema, validatePayload } from './payload-schema.ts';
export { type PickField, pickedOptions, pickField, pickName } from './pick.ts';
export { boundProblems, type Problem, pointer, sentenceOf } from './problem.ts';
export { checkQuestion, type Kind, KindSchema, type Question, type QuestionInput } from './question.ts';
export type { HoldpointService } from './verb-table.ts';
export { type VerbAddress, type VerbName, verbTable } from './verb-table.ts';
export {
  type ApiKey,
  ApiKeySchema,
  type CreateApiKey,
  CreateApiKeySchema,
  type CreatedApiKey,
  CreatedApiKeySchema,
  type CreatedOrg,
  CreatedOrgSchema,
  type CreateOrg,
  CreateOrgSchema,
  type CreateResponderToken,
  CreateResponderTokenSchema,
  type ResponderToken,
  ResponderTokenSchema,
  type Role,
  type UpdateApiKey,
  UpdateApiKeySchema,
} from './verbs/access.ts';
export {
  type Callback,
  CallbackSchema,
  type CallbackSecret,
  CallbackSecretSchema,
  type Decline,
  DeclineSchema,
  type Draft,
  DraftSchema,
  type SaveDraft,
  SaveDraftSchema,
  type SubmitAnswer,
  SubmitAnswerSchema,
} from './verbs/answers.ts';
export { Id, type Page, type PageRequest, type StopSignal, type Write } from './verbs/call.ts';
export { idNames, type VerbCall, verbCalls, verbSpecs } from './verbs/calls.ts';
export {
  type Batch,
  BatchSchema,
  type ClaimBatches,
  ClaimBatchesSchema,
  type CompleteBatch,
  CompleteBatchSchema,
  type DispatchSettings,
  DispatchSettingsSchema,
  type FailBatch,
  FailBatchSchema,
  type Heartbeat,
  HeartbeatSchema,
  type Input,
  InputSchema,
  type Lease,
  LeaseSchema,
  type ReportTyping,
  ReportTypingSchema,
  type UpdateDispatchSettings,
  UpdateDispatchSettingsSchema,
  type UpdateThreadDispatchSettings,
  UpdateThreadDispatchSettingsSchema,
} from './verbs/dispatch.ts';
export {
  type CreateStreamToken,
  CreateStreamTokenSchema,
  type EventFilter,
  type StreamToken,
  StreamTokenSchema,
} from './verbs/events.ts';
export {
  type AttachFile,
  type FileLink,
  FileLinkSchema,
  type LinkFile,
  LinkFileSchema,
  type OpenedFile,
  type StoredFile,
  StoredFileSchema,
  type UploadFile,
} from './verbs/files.ts';
export { type Grant, type GrantCoverage, GrantSchema } from './verbs/grants.ts';
export {
  type CountedInteractions,
  type InteractionCount,
  type InteractionFilter,
  type Overview,
  type OverviewBucket,
  type OverviewQuery,
  OverviewQuerySchema,
  OverviewSchema,
} from './verbs/interactions.ts';
export {
  type AppendToMessage,
  AppendToMessageSchema,
  type CompleteMessage,
  CompleteMessageSchema,
  type Message,
  type MessageFilter,
  MessageSchema,
  type PostMessage,
  PostMessageSchema,
} from './verbs/messages.ts';
export {
  type AdvanceRun,
  AdvanceRunSchema,
  AgentNameSchema,
  type BeginRun,
  BeginRunSchema,
  type BegunRun,
  BegunRunSchema,
  type CancelRun,
  CancelRunSchema,
  type JournalEntry,
  JournalEntrySchema,
  type NewJournalEntry,
  type Run,
  type RunError,
  type RunFilter,
  RunSchema,
  type RunStatus,
  RunStatusSchema,
  type RunWait,
  type Turn,
  TurnSchema,
} from './verbs/runs.ts';
export {
  checkVariables,
  type OpenSession,
  OpenSessionSchema,
  type PublicKeySettings,
  type RecordedTelemetry,
  RecordedTelemetrySchema,
  type RecordTelemetry,
  RecordTelemetrySchema,
  type Session,
  SessionSchema,
} from './verbs/sessions.ts';
export {
  type CreateThread,
  CreateThreadSchema,
  type Thread,
  ThreadSchema,
  type UpdateThread,
  UpdateThreadSchema,
} from './verbs/threads.ts';
export { everybody, type Rights, type VerbSpec } from './verbs/verb-spec.ts';
export {
  type CreatedWebhook,
  CreatedWebhookSchema,
  type CreateWebhook,
  CreateWebhookSchema,
  type DeliveryFilter,
  type Replay,
  ReplaySchema,
  type RotateSecret,
  RotateSecretSchema,
  type UpdateWebhook,
  UpdateWebhookSchema,
} from './verbs/webhooks.ts';
export { isBlankText, visibleParts, visibleText } from './visible-text.ts';
export {
  type Attempt,
  AttemptSchema,
  type Delivery,
  DeliverySchema,
  type DeliveryStatus,
  DeliveryStatusSchema,
  type Webhook,
  WebhookSchema,
} from './webhook.ts';
