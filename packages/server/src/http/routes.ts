/** Every call of the native API, in the order of the reference. */
import { verbCalls, verbSpecs } from '@holdpoint/protocol';
import { eventsRoute } from './event-stream.ts';
import type { DocumentedCall } from './openapi.ts';

export const documentedRoutes: readonly DocumentedCall[] = [
  ...verbCalls.map(({ verb, ...call }): DocumentedCall => {
    const { takesFile, givesFile } = verbSpecs[verb];
    return { ...call, ...(takesFile && { takesFile }), ...(givesFile && { gives: 'application/octet-stream' }) };
  }),
  eventsRoute,
];
