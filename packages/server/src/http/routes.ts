/** Every call of the native API, in the order of the reference. */
import { verbCalls, verbSpecs } from '@holdpoint/protocol';
import type { DocumentedCall } from './openapi/openapi.ts';
import { eventsRoute } from './streams/event-stream.ts';

export const documentedRoutes: readonly DocumentedCall[] = [
  ...verbCalls.map(({ verb, ...call }): DocumentedCall => {
    const { takesFile, givesFile } = verbSpecs[verb];
    return { ...call, ...(takesFile && { takesFile }), ...(givesFile && { gives: 'application/octet-stream' }) };
  }),
  eventsRoute,
];
