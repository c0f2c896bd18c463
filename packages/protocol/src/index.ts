export {
  type Actor,
  ActorSchema,
  type ActorType,
  type Block,
  BlockSchema,
  type FreeObject,
  FreeObjectSchema,
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
export * from './field-builders.ts';
export { type CheckedFields, checkFields } from './fields/check-fields.ts';
export { codePoints } from './fields/check-text.ts';
export { acceptOf, accepts } from './fields/check-upload.ts';
export {
  type Field,
  type FieldOf,
  FieldSchema,
  type FieldType,
  type FieldValue,
  fieldSchemas,
  type InputField,
  type InputType,
  type UploadField,
  type Values,
} from './fields/field.ts';
export {
  fieldTypes,
  type JsonSchema,
  type Option,
  OptionSchema,
  type VisibleIf,
  type VisibleIfRule,
  VisibleIfSchema,
} from './fields/field-types.ts';
export { type FileRef, FileRefSchema } from './fields/file-ref.ts';
export { isInputField, isSecretField } from './fields/input-field.ts';
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
  type CreateInteraction,
  CreateInteractionSchema,
  type Dialect,
  type Interaction,
  InteractionSchema,
  type Status,
  StatusSchema,
  type UpdateInteraction,
} from './interaction.ts';
export { canonicalJson, checkJson, isObject, type JsonBounds, jsonEqual } from './json.ts';
export { limits, thousands } from './limits.ts';
export { type Approval, approvalOf, type Outcome, outcomeOf, type ReadingOptions, type ValuesOf } from './outcome.ts';
export { matchesPattern, type PatternMatcher } from './pattern.ts';
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
  type CreatedApiKey,
  type CreatedOrg,
  type CreateOrg,
  type CreateResponderToken,
  type ResponderToken,
  type Role,
  type UpdateApiKey,
} from './verbs/access.ts';
export {
  type Callback,
  type CallbackSecret,
  type Decline,
  type Draft,
  type SaveDraft,
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
  type DispatchSettings,
  DispatchSettingsSchema,
  type FailBatch,
  type Heartbeat,
  type Input,
  InputSchema,
  type Lease,
  type ReportTyping,
  type UpdateDispatchSettings,
  type UpdateThreadDispatchSettings,
} from './verbs/dispatch.ts';
export type {
  CreateStreamToken,
  EventFilter,
  StreamToken,
} from './verbs/events.ts';
export type {
  AttachFile,
  FileLink,
  LinkFile,
  OpenedFile,
  StoredFile,
  UploadFile,
} from './verbs/files.ts';
export { type Grant, type GrantCoverage, GrantSchema } from './verbs/grants.ts';
export type {
  CountedInteractions,
  InteractionCount,
  InteractionFilter,
  Overview,
  OverviewBucket,
  OverviewQuery,
} from './verbs/interactions.ts';
export {
  type AppendToMessage,
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
  type BeginRun,
  type BegunRun,
  type CancelRun,
  type JournalEntry,
  JournalEntrySchema,
  type NewJournalEntry,
  type Run,
  type RunError,
  type RunFilter,
  RunSchema,
  type RunStatus,
  type RunWait,
  type Turn,
} from './verbs/runs.ts';
export {
  checkVariables,
  type OpenSession,
  OpenSessionSchema,
  type PublicKeySettings,
  type RecordedTelemetry,
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
} from './verbs/threads.ts';
export { everybody, type Rights, type VerbSpec } from './verbs/verb-spec.ts';
export {
  type CreatedWebhook,
  type CreateWebhook,
  CreateWebhookSchema,
  type DeliveryFilter,
  type Replay,
  type RotateSecret,
  type UpdateWebhook,
} from './verbs/webhooks.ts';
export { isBlankText, visibleParts, visibleText } from './visible-text.ts';
export {
  type Attempt,
  AttemptSchema,
  type Delivery,
  DeliverySchema,
  type DeliveryStatus,
  type Webhook,
  WebhookSchema,
} from './webhook.ts';
