/** Holdpoint in the process of the app: opened by the first request, and once, because `next dev` loads this file again and again. */
import { createHoldpoint } from 'holdpoint';

const { DATA = './data', HOLDPOINT_API_KEY: adminKey } = process.env;

export const holdpoint = () => {
  globalThis.holdpoint ??= createHoldpoint({ data: DATA, adminKey });
  return globalThis.holdpoint;
};
