export type * from '@holdpoint/protocol';
export {
  approval,
  approvalOf,
  cardChoice,
  choice,
  form,
  HoldpointError,
  input,
  outcomeOf,
} from '@holdpoint/protocol';
export * from '@holdpoint/protocol/field-builders';
export { type AskOptions, Holdpoint, type StillPending, type WaitOptions } from './holdpoint.ts';
export type { FollowOptions, Transport } from './http-events.ts';
export { httpService } from './http-service.ts';
export type { HttpServiceOptions } from './request.ts';
export { type Waiting, waitUntilClosed } from './wait-until-closed.ts';
