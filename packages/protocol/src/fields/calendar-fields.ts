/** Fields answered with a date, a time of day, or an instant. */
import { type Static, Type } from 'typebox';
import { inputBase } from './input-base.ts';

const moment = Type.String({ maxLength: 40 });
const calendarProperties = {
  ...inputBase,
  default: Type.Optional(moment),
  min: Type.Optional(moment),
  max: Type.Optional(moment),
};
const strict = { additionalProperties: false } as const;

export const DateFieldSchema = Type.Object({ type: Type.Literal('date'), ...calendarProperties }, strict);
export const TimeFieldSchema = Type.Object({ type: Type.Literal('time'), ...calendarProperties }, strict);
export const DatetimeFieldSchema = Type.Object({ type: Type.Literal('datetime'), ...calendarProperties }, strict);

export type CalendarField = Static<typeof DateFieldSchema | typeof TimeFieldSchema | typeof DatetimeFieldSchema>;
