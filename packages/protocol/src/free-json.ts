/** Schemas for JSON that passes through unread; its size and depth are bounded by `checkJson`. */
import { type Static, Type } from 'typebox';
import { readDatetime } from './fields/calendar.ts';

export const FreeObjectSchema = Type.Record(Type.String(), Type.Unknown());

export type FreeObject = Static<typeof FreeObjectSchema>;

export const TimestampSchema = Type.String({
  description: 'RFC 3339 date-time.',
  examples: ['2030-01-31T12:00:00.000Z'],
});

/** The years 0 to 9999 in UTC, in seconds since 1970: what lies beyond cannot be written by RFC 3339. */
const yearZero = -62_167_219_200;
const year10000 = 253_402_300_800;

export function isTimestamp(text: string): boolean {
  const seconds = readDatetime(text);
  return seconds !== undefined && seconds >= yearZero && seconds < year10000;
}
