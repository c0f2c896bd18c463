/** What was asked in the last hours, and what has come of it, in figures. */
import { type Static, Type } from 'typebox';
import { TimestampSchema } from './free-json.ts';
import { limits } from './limits.ts';
import { thousands } from './thousands.ts';

const strict = { additionalProperties: false };
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const OverviewQuerySchema = Type.Object(
  {
    hours: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.overviewHours, default: 24, description: 'How far back.' }),
    ),
  },
  strict,
);

const OverviewBucketSchema = Type.Object(
  {
    at: TimestampSchema,
    created: count('How many were asked.'),
    answered: count('How many of these are answered, and not declined.'),
    declined: count('How many are declined.'),
    expired: count('How many have expired.'),
    cancelled: count('How many are cancelled.'),
    medianWaitMs: Type.Optional(
      Type.Integer({ minimum: 0, description: 'From asking to the answer or decline that somebody gave.' }),
    ),
  },
  { ...strict, description: 'What was asked from this time on until the next, and what has come of it by now.' },
);

export const OverviewSchema = Type.Object(
  {
    pending: Type.Integer({
      minimum: 0,
      maximum: limits.counted,
      description: `How many wait; no further than ${thousands(limits.counted)}.`,
    }),
    oldestPendingAt: Type.Optional(TimestampSchema),
    hours: Type.Integer({ minimum: 1, maximum: limits.overviewHours, description: 'How far back, as asked for.' }),
    isPartial: Type.Boolean({
      description: `More was asked than is summed up: of the time, the newest ${thousands(limits.overviewInteractions)} were.`,
    }),
    buckets: Type.Array(OverviewBucketSchema, { description: 'Of equal length, 24 to 30 of them, the oldest first.' }),
  },
  strict,
);

export type OverviewQuery = Static<typeof OverviewQuerySchema>;
export type Overview = Static<typeof OverviewSchema>;
export type OverviewBucket = Static<typeof OverviewBucketSchema>;
