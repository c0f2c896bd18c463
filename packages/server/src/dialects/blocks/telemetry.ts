/** What a person did in the page: each an event of the thread’s log, recorded once by its id. */
import {
  checkJson,
  fail,
  type HoldpointService,
  isTimestamp,
  limits,
  type Problem,
  type RecordTelemetry,
  sentenceOf,
} from '@holdpoint/protocol';
import type { SessionOf } from './session-of.ts';

export interface Telemetry extends Omit<RecordTelemetry, 'at'> {
  timestamp?: string | number;
}

/** All of them or, where one is not valid, none. */
export async function recordAll(
  service: HoldpointService,
  { threadId }: SessionOf,
  events: readonly { event: Telemetry; at: string }[],
): Promise<{ accepted: number; duplicates: number }> {
  const problems = events.flatMap(({ event, at }) => problemsOf(event, at));
  if (problems.length > 0) fail('invalid-input', sentenceOf(problems), { problems });
  const recorded = await Promise.all(
    events.map(({ event }) => service.recordTelemetry({ threadId, ...toTelemetry(event) })),
  );
  const duplicates = recorded.filter(({ isRepeated }) => isRepeated).length;
  return { accepted: recorded.length - duplicates, duplicates };
}

function problemsOf({ props = {}, timestamp }: Telemetry, at: string): Problem[] {
  const bounds = { maxBytes: limits.telemetryBytes, maxDepth: limits.jsonDepth };
  const isOdd = typeof timestamp === 'string' && !isTimestamp(timestamp);
  return [
    ...checkJson(props, bounds, `${at}/props`),
    ...(isOdd ? [{ pointer: `${at}/timestamp`, code: 'format', message: 'Send an RFC 3339 date-time.' }] : []),
  ];
}

function toTelemetry({ timestamp, ...event }: Telemetry): RecordTelemetry {
  if (timestamp === undefined) return event;
  return { ...event, at: typeof timestamp === 'number' ? new Date(timestamp).toISOString() : timestamp };
}
