export { agreeing, isDecided } from './agreement.ts';
export { answerChallenge, type SignedAnswer } from './answer-challenge.ts';
export type { CheckedAnswer } from './answer-checker.ts';
export type * from './base-schemas.ts';
export {
  ActorRefSchema,
  ActorSchema,
  BlockSchema,
  FreeObjectSchema,
  isTimestamp,
  outerId,
  sameActor,
  strictObject,
} from './base-schemas.ts';
export type * from './builders.ts';
export { approval, cardChoice, choice, form, input } from './builders.ts';
export { canonicalJson } from './canonical-json.ts';
export { checkAnswerValues } from './check-answer-values.ts';
export { checkShape } from './check-schema.ts';
export { defined } from './defined.ts';
export { currentScheme, schemeOf } from './digest-scheme.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './field-builders.ts';
export { type CheckedFields, checkFields } from './fields/check-fields.ts';
export { codePoints } from './fields/check-text.ts';
export { acceptOf, accepts } from './fields/check-upload.ts';
export type * from './fields/field.ts';
export { FieldSchema, fieldSchemas } from './fields/field.ts';
export type * from './fields/field-types.ts';
export { fieldTypes, OptionSchema, VisibleIfSchema } from './fields/field-types.ts';
export { type FileRef, FileRefSchema } from './fields/file-ref.ts';
export { isInputField, isSecretField } from './fields/input-field.ts';
export { fieldsToJsonSchema } from './fields/json-schema.ts';
export { validateValues } from './fields/validate-values.ts';
export { type ValidatedValues, type ValuesValidator, valuesValidator } from './fields/values-validator.ts';
export { visibleFields } from './fields/visible-fields.ts';
export { type AskedForGood, coverageOf, offersAlways } from './grant-coverage.ts';
export { hiddenCharacter } from './hidden-character.ts';
export type * from './interaction.ts';
export {
  AnswerSchema,
  AnswerSignatureSchema,
  assurances,
  CreateInteractionSchema,
  InteractionSchema,
  StatusSchema,
} from './interaction.ts';
export { checkJson, isObject, type JsonBounds, type JsonSchema, jsonEqual } from './json.ts';
export { limits, thousands } from './limits.ts';
export { type Approval, approvalOf, type Outcome, outcomeOf, type ReadingOptions, type ValuesOf } from './outcome.ts';
export { matchesPattern, type PatternMatcher } from './pattern.ts';
export { hasSecret } from './payload/schema-object.ts';
export { checkPayloadSchema, validatePayload } from './payload-schema.ts';
export { allows, isApproval, type PickField, pickedOptions, pickField, pickName } from './pick.ts';
export { boundProblems, type Problem, pointer, problem, sentenceOf, tokensOf } from './problem.ts';
export { checkQuestion, type Kind, KindSchema, type Question, type QuestionInput } from './question.ts';
export { type GroupCount, isQuorum } from './quorum.ts';
export { withoutSecrets } from './secret-values.ts';
export { type SignInRefusal, signInRefusals } from './sign-in-refusals.ts';
export { type HoldpointService, type VerbAddress, type VerbName, verbTable } from './verb-table.ts';
export type * from './verbs/access.ts';
export { ApiKeySchema } from './verbs/access.ts';
export type * from './verbs/admin-events.ts';
export { AdminEventSchema, adminEventTypes } from './verbs/admin-events.ts';
export type * from './verbs/answers.ts';
export { SubmitAnswerSchema } from './verbs/answers.ts';
export type * from './verbs/assignment.ts';
export { Id, type Page, type PageRequest, type StopSignal, type Write } from './verbs/call.ts';
export { idNames, type VerbCall, verbCalls, verbSpecs } from './verbs/calls.ts';
export type * from './verbs/dispatch.ts';
export { BatchSchema, ClaimBatchesSchema, DispatchSettingsSchema, InputSchema } from './verbs/dispatch.ts';
export type * from './verbs/events.ts';
export type * from './verbs/files.ts';
export type * from './verbs/grants.ts';
export { GrantSchema } from './verbs/grants.ts';
export type * from './verbs/groups.ts';
export { GroupSchema } from './verbs/groups.ts';
export type * from './verbs/identity-providers.ts';
export {
  CreateIdentityProviderSchema,
  IdentityProviderCheckSchema,
  IdentityProviderSchema,
} from './verbs/identity-providers.ts';
export type * from './verbs/interactions.ts';
export type * from './verbs/messages.ts';
export { CompleteMessageSchema, MessageSchema, PostMessageSchema, textOfMessage } from './verbs/messages.ts';
export type * from './verbs/people.ts';
export { PasskeySchema, PersonSchema, PersonSessionSchema } from './verbs/people.ts';
export type * from './verbs/runs.ts';
export { JournalEntrySchema, RunSchema } from './verbs/runs.ts';
export type * from './verbs/sessions.ts';
export { checkVariables, OpenSessionSchema, RecordTelemetrySchema, SessionSchema } from './verbs/sessions.ts';
export type * from './verbs/settings.ts';
export { OrgSettingsSchema } from './verbs/settings.ts';
export type * from './verbs/threads.ts';
export { CreateThreadSchema, ThreadSchema } from './verbs/threads.ts';
export { everybody, type Rights, type VerbSpec } from './verbs/verb-spec.ts';
export type * from './verbs/webhooks.ts';
export { CreateWebhookSchema } from './verbs/webhooks.ts';
export { isBlankText, mustBeSeen, visibleParts, visibleText } from './visible-text.ts';
export { votesNeeded } from './votes-needed.ts';
export type * from './webhook.ts';
export { AttemptSchema, DeliverySchema, WebhookSchema } from './webhook.ts';
