import { limits, type Message } from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { agent, ann, at, now } from './asking.fixture.ts';
import {
  abandoned,
  abandonedAt,
  appendTo,
  beginStream,
  endStream,
  type MessageStream,
  publishedPieces,
  soFar,
  streamIdleMs,
} from './message-stream.ts';

const { state: _, ...whole }: Message = {
  id: 'm',
  threadId: 't',
  role: 'agent',
  blocks: [],
  state: 'streaming',
  by: agent,
  at: at(now),
  metadata: { a: 1 },
};
const begun: Message = { ...whole, state: 'streaming' };
const blocks = (text: string) => [{ type: 'message', payload: { text, format: 'plain' } }];
const streamOf = (text: string): MessageStream => ({ ...beginStream(begun), text });

test('[M2][M3] a message that is being streamed has the text so far', () => {
  const empty = beginStream(begun);
  expect(soFar(begun, empty)).toEqual({ ...begun, updatedAt: at(now) });
  const first = appendTo(empty, 'Hel', now + 5) as MessageStream;
  const second = appendTo(first, 'lo', now + 9) as MessageStream;
  expect(second).toEqual({ threadId: 't', text: 'Hello', updatedAt: at(now + 9) });
  expect(soFar(begun, second)).toEqual({ ...begun, blocks: blocks('Hello'), updatedAt: at(now + 9) });
});

test('[M4] a streamed message has the same longest length as a posted one, in characters', () => {
  const almost = streamOf('🙂'.repeat(limits.messageLength - 1));
  const longest = appendTo(almost, '🙂', now) as MessageStream;
  expect(longest.text).toHaveLength(2 * limits.messageLength);
  expect(appendTo(longest, 'x', now)).toMatchObject({
    code: 'invalid-input',
    detail: 'A message may have at most 100000 characters, and 100000 have come already.',
    problems: [{ pointer: '/text', code: 'max-length' }],
  });
});

test.each([
  [{ type: 'complete', by: ann }, 'message.completed', { ...whole, blocks: blocks('Hel') }],
  [{ type: 'complete', by: ann, text: 'Hello' }, 'message.completed', { ...whole, blocks: blocks('Hello') }],
  [{ type: 'complete', by: ann, text: '' }, 'message.completed', whole],
  [{ type: 'cancel', by: ann }, 'message.cancelled', { ...whole, blocks: blocks('Hel'), state: 'cancelled' }],
] as const)('[M2] %o ends it', (end, type, ended) => {
  const message = { ...ended, updatedAt: at(now + 7) };
  const event = { type, at: at(now + 7), actor: ann, data: { message } };
  expect(endStream(begun, streamOf('Hel'), end, now + 7)).toEqual({ message, event });
});

test('[M5] a stream is abandoned a minute after its last piece, and the system cancels it', () => {
  expect(abandonedAt(beginStream(begun))).toBe(now + 60_000);
  expect(abandonedAt(appendTo(beginStream(begun), 'a', now + 500) as MessageStream)).toBe(now + 500 + streamIdleMs);
  expect(endStream(begun, streamOf(''), abandoned, now)).toMatchObject({
    message: { state: 'cancelled', blocks: [] },
    event: { type: 'message.cancelled', actor: { type: 'system', id: 'stream', via: 'local' } },
  });
});

const text = fc.string({ unit: fc.constantFrom('a', 'é', '€', '🙂', '"', '\\', '\n', '\0', '\ud800', '\u2028') });

test('[E2] a long text is published in small pieces, and none cuts a character', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 6, max: 40 }), (said, maxBytes) => {
      const pieces = publishedPieces(said, maxBytes);
      expect(pieces.join('')).toBe(said);
      for (const piece of pieces) {
        expect(Buffer.byteLength(JSON.stringify(piece)) - 2).toBeLessThanOrEqual(maxBytes);
        expect(/^[\udc00-\udfff]/.test(piece)).toBe(false);
      }
    }),
  );
  expect(publishedPieces('short')).toEqual(['short']);
  expect(publishedPieces('x'.repeat(12_000)).map(({ length }) => length)).toEqual([5_000, 5_000, 2_000]);
});
