/** Reads dates, times and instants without a clock or Date. Each reader returns a number that orders, or undefined. */

const date = /^(\d{4})-(\d{2})-(\d{2})$/;
const time = /^(\d{2}):(\d{2})(?::(\d{2}))?$/;
const datetime = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(\.\d{1,9})?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** Days since 1970-01-01 of a real calendar date written YYYY-MM-DD. */
export function readDate(text: string): number | undefined {
  const [, y, m, d] = date.exec(text) ?? [];
  const [year, month, day] = [Number(y), Number(m), Number(d)];
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined;
  // Howard Hinnant's days_from_civil: years start in March, so that the leap day comes last.
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Seconds since midnight of HH:MM or HH:MM:SS. */
function readTime(text: string): number | undefined {
  const [, h, m, s = '0'] = time.exec(text) ?? [];
  const [hours, minutes, seconds] = [Number(h), Number(m), Number(s)];
  return hours <= 23 && minutes <= 59 && seconds <= 59 ? hours * 3600 + minutes * 60 + seconds : undefined;
}

/** Seconds since 1970 of an RFC 3339 date-time, which always has an offset. */
export function readDatetime(text: string): number | undefined {
  const [, day = '', clock = '', fraction = '0', sign, h = '0', m = '0'] = datetime.exec(text) ?? [];
  const [days, seconds] = [readDate(day), readTime(clock)];
  if (days === undefined || seconds === undefined || Number(h) > 23 || Number(m) > 59) return undefined;
  const offset = (Number(h) * 3600 + Number(m) * 60) * (sign === '-' ? -1 : 1);
  return days * 86_400 + seconds + Number(fraction) - offset;
}

export const calendarReaders = { date: readDate, time: readTime, datetime: readDatetime };
