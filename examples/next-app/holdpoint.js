/** Holdpoint in the process of the app. The first request opens it, once, because `next dev` loads this file repeatedly. */
import { createHoldpoint } from 'holdpoint';

const { DATA = './data', HOLDPOINT_API_KEY: adminKey } = process.env;

export const holdpoint = () => {
  globalThis.holdpoint ??= createHoldpoint({ data: DATA, adminKey });
  return globalThis.holdpoint;
};
