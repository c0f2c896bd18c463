/** Schemas for JSON that passes through unread; its size and depth are bounded by `checkJson`. */
import { type Static, Type } from 'typebox';
import { readDatetime } from './fields/calendar.ts';

export const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown());

export type FreeObject = Static<typeof FreeObjectSchema>;

export const TimestampSchema = Type.String({
  description: 'RFC 3339 date-time.',
  examples: ['2030-01-31T12:00:00.000Z'],
});

export const isTimestamp = (text: string): boolean => readDatetime(text) !== undefined;
