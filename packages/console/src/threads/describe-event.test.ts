import type { Message } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { withoutMarks, wordsOf, wordsOfValue } from './describe-event.ts';

test.each([
  ['Hello, I am **release-manager**, an _agent_.', 'Hello, I am release-manager, an agent.'],
  [
    '# Ready\n\n- error rate **0.02 %**\n- see [the log](https://a.example/log)',
    'Ready\n\nerror rate 0.02 %\nsee the log',
  ],
  ['`snake_case_name` and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['1. first\n2) second\n> said', 'first\nsecond\nsaid'],
  ['***both*** ~~gone~~', 'both gone'],
  ['a ** b', 'a ** b'],
])('[CO48] removes Markdown marks from a line of the log: %j', (markdown, words) => {
  expect(withoutMarks(markdown)).toBe(words);
});

test('[CO48] keeps text that is not Markdown, and puts a title before its text', () => {
  const message = {
    blocks: [
      { type: 'message', payload: { text: '2 **stars**' } },
      { type: 'card', payload: { title: 'Ready', text: 'Two\nlines' } },
      { type: 'image', payload: { url: 'https://a.example/b.png', alt: 'A picture' } },
    ],
  } as unknown as Message;
  expect(wordsOf(message)).toBe('2 **stars** Ready. Two lines');
  expect(wordsOf({ ...message, blocks: message.blocks.slice(2) })).toBeUndefined();
});

test.each<[unknown, string]>([
  [{ file_id: 'f1', url: '/f1', name: 'signature.png', mime: 'image/png', size: 9 }, 'signature.png'],
  [['a', true, 3], 'a, yes, 3'],
  [[], 'none'],
  [{ free: 1 }, '{"free":1}'],
])('[CO48] renders the value of an answer as text: %j', (value, words) => {
  expect(wordsOfValue(value)).toBe(words);
});
