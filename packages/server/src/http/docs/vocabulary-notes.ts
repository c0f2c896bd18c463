/** A few words on each field type and each event, for people; the types demand that none is left out. */
import type { EventType, FieldType } from '@holdpoint/protocol';

export const fieldNotes: Readonly<Record<FieldType, { asks: string; value: string }>> = {
  text: { asks: 'One line of text', value: 'string' },
  textarea: { asks: 'Several lines of text', value: 'string' },
  email: { asks: 'An email address', value: 'string' },
  tel: { asks: 'A telephone number', value: 'string' },
  url: { asks: 'An http or https address', value: 'string' },
  password: { asks: 'Something secret; always `secret`', value: 'string, handed out once' },
  number: { asks: 'A number', value: 'number' },
  date: { asks: 'A calendar date', value: '"2030-01-31"' },
  time: { asks: 'A time of day', value: '"14:30" or "14:30:00"' },
  datetime: { asks: 'A moment', value: '"2030-01-31T14:30:00Z"' },
  checkbox: { asks: 'A box to tick', value: 'true or false' },
  confirm: { asks: 'Yes or no, as two buttons', value: 'true or false' },
  select: { asks: 'One of several options', value: 'the value of one option' },
  radio: { asks: 'One of several options, all in view', value: 'the value of one option' },
  multi_select: { asks: 'Any of several options', value: 'a list of option values' },
  rating: { asks: 'A number of stars', value: 'an integer from 1 to maxStars' },
  file_upload: { asks: 'A file', value: 'FileRef, or a list with `multiple`' },
  image_upload: { asks: 'A picture', value: 'FileRef, or a list with `multiple`' },
  signature: { asks: 'A drawn signature', value: 'FileRef' },
  heading: { asks: 'Nothing; shows a heading', value: 'none' },
  paragraph: { asks: 'Nothing; shows a paragraph', value: 'none' },
  divider: { asks: 'Nothing; shows a line', value: 'none' },
};

export const eventNotes: Readonly<Record<EventType, { means: string; data: string }>> = {
  'thread.created': { means: 'A thread begins.', data: 'thread' },
  'message.created': { means: 'Something was said.', data: 'message' },
  'interaction.created': { means: 'A question was asked.', data: 'interaction' },
  'interaction.updated': { means: 'A pending question was changed.', data: 'version, changed' },
  'interaction.voted': { means: 'One vote of several that are needed.', data: 'version, vote' },
  'interaction.answered': { means: 'It closed with an accepted answer.', data: 'version, answer' },
  'interaction.declined': { means: 'It closed with a declined answer.', data: 'version, answer' },
  'interaction.cancelled': { means: 'The asker withdrew it.', data: 'version, reason' },
  'interaction.expired': { means: 'Its deadline passed without an answer.', data: 'version' },
  'interaction.secrets-taken': { means: 'The secret values were handed out.', data: 'secretFields' },
  'grant.created': { means: 'An answer stands from now on.', data: 'grant' },
  'grant.revoked': { means: 'It no longer does.', data: 'grant' },
};
