export type * from '@holdpoint/protocol';
export {
  approval,
  approvalOf,
  cardChoice,
  checkbox,
  choice,
  confirm,
  custom,
  date,
  datetime,
  divider,
  email,
  fileUpload,
  form,
  HoldpointError,
  heading,
  imageUpload,
  input,
  multiSelect,
  number,
  outcomeOf,
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
} from '@holdpoint/protocol';
export { type AskOptions, Holdpoint, type StillPending, type WaitOptions } from './holdpoint.ts';
export type { FollowOptions, Transport } from './http-events.ts';
export { httpService } from './http-service.ts';
export type { HttpServiceOptions } from './request.ts';
export { type Waiting, waitUntilClosed } from './wait-until-closed.ts';
