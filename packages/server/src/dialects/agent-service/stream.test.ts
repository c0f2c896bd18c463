import { eventTypes, type LogEvent } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { ann, answer, ask } from '../../domain/asking.fixture.ts';
import { toResource } from './request-codec.ts';
import { sentEventTypes, toEvent } from './stream.ts';

const event = (type: LogEvent['type']): LogEvent =>
  ({
    cursor: '0000000000000007',
    threadId: 't',
    seq: 3,
    type,
    at: '2030-01-01T00:00:00.000Z',
    actor: ann,
    interactionId: 'asked',
    data: {},
  }) as unknown as LogEvent;

test('an event contains the resource at that time', () => {
  const { interaction } = answer(ask({ title: 'Name?' }), ann, { text: 'Ada' });
  expect(toEvent(event('interaction.answered'), interaction, 'org')).toEqual({
    eventId: '0000000000000007',
    type: 'interaction.responded',
    timestamp: '2030-01-01T00:00:00.000Z',
    data: toResource(interaction, 'org'),
  });
});

test.each([
  ['interaction.requested', ['interaction.created']],
  ['interaction.responded', ['interaction.answered', 'interaction.declined']],
  [
    'interaction.updated',
    [
      'interaction.updated',
      'interaction.voted',
      'interaction.reminded',
      'interaction.escalated',
      'interaction.claimed',
      'interaction.released',
      'interaction.reassigned',
      'interaction.cancelled',
      'interaction.expired',
    ],
  ],
  [undefined, eventTypes.filter((type) => !sentEventTypes.includes(type))],
])('%s stands for %o', (sent, types) => {
  const asked = ask({});
  expect(eventTypes.filter((type) => toEvent(event(type), asked, 'org')?.type === sent)).toEqual(types);
});
