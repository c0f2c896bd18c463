import { Type } from 'typebox';
import { limits } from './limits.ts';

/** An id a caller may choose: printable, and safe in a path, a log line and an SQL text column. */
export const GivenIdSchema = Type.String({
  minLength: 1,
  maxLength: limits.idLength,
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:~@-]*$',
});

/** An id from somewhere else, of a run, a person, a grant's key: any text without control characters, which not every database keeps. */
export const outerId = (options: { description?: string } = {}) =>
  Type.String({
    minLength: 1,
    maxLength: limits.idLength,
    pattern: '^[^\\x00-\\x1f\\x7f]*$',
    ...options,
  });
