/** The formats that are checked; any other is a note to the reader, as JSON Schema has it. */
import { readDate, readDatetime } from '../fields/calendar.ts';
import { isEmail } from '../fields/check-text.ts';

const uri = /^[a-z][a-z0-9+.-]*:[!#-;=?-[\]_a-z~%]*$/i;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: (text) => readDate(text) !== undefined,
  'date-time': (text) => readDatetime(text.toUpperCase()) !== undefined,
  time: (text) => readDatetime(`2000-01-01T${text.toUpperCase()}`) !== undefined,
  email: isEmail,
  uri: (text) => uri.test(text),
  uuid: (text) => uuid.test(text),
};
