import { HoldpointError } from '@holdpoint/protocol';

export const hasCode = (error: unknown, ...codes: HoldpointError['code'][]): error is HoldpointError =>
  error instanceof HoldpointError && codes.includes(error.code);
