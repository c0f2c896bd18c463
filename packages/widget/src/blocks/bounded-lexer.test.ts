import { Tokenizer } from 'marked';
import { afterEach, expect, test, vi } from 'vitest';
import { BoundedLexer } from './bounded-lexer.ts';

const lex = (text: string) => new BoundedLexer({ gfm: true, breaks: true }).lex(text);
const filled = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** Each took the lexer of marked 0.5 s to 17 s. */
const hostile: Record<string, (length: number) => string> = {
  'marks that never end': (length) => filled('__a', length),
  'single marks': (length) => filled('*a', length),
  brackets: (length) => filled('![', length),
  'closed brackets': (length) => '['.repeat(length / 2) + ']'.repeat(length / 2),
  angles: (length) => filled('<a ', length),
  backticks: (length) => filled('`a', length),
  'quotes in quotes': (length) => filled('> ', length),
  'lists in lists': (length) => filled('- > ', length),
  'numbers in numbers': (length) => filled('1) ', length),
  'an item without end': (length) => `- a\n${filled('b\n', length)}`,
  'empty items': (length) => filled('*\n', length),
  tasks: (length) => filled('- [ ] a\n', length),
  'a wide table': (length) => `|${'a|'.repeat(1_000)}\n|${'-|'.repeat(1_000)}\n${filled('|a|\n', length)}`,
  'a long address': (length) => `http://a${')'.repeat(length)}`,
  'a mail address without end': (length) => `${filled('a-a_', length)}@`,
  'underlined headings': (length) => filled('a\n-\n', length),
  'heads of tables': (length) => filled('b|c\n:-\n', length),
  'tags between lines': (length) => filled('a\n<!a>b\n', length),
  'unmarked lines in quotes': (length) => filled('> a\nb\n', length),
  'headings in quotes': (length) => filled('> # a\nb\n', length),
  spaces: (length) => `a${' '.repeat(length)}a`,
};

type Rules = Record<string, (this: unknown, src: string, ...rest: unknown[]) => unknown>;
const rules = Tokenizer.prototype as unknown as Rules;
const names = Object.getOwnPropertyNames(rules).filter((name) => name !== 'constructor');

/** These look up to the next empty line, whatever the text begins with. */
const farRules = ['table', 'lheading', 'blockquote'];

/** Counts the characters that the rules of the lexer may scan, because its work grows with them. */
function countWork(): { characters: number; calls: number } {
  const work = { characters: 0, calls: 0 };
  for (const name of names) {
    const rule = rules[name] as Rules[string];
    vi.spyOn(rules, name).mockImplementation(function (this: unknown, src, ...rest) {
      work.calls++;
      if (farRules.includes(name)) work.characters += `${src}\n\n`.indexOf('\n\n');
      else if (/^[*_![<`>|~\-+\d]/.test(src)) work.characters += src.length;
      // A paragraph of a quote is joined to the one before it, which is copied.
      if (name === 'paragraph') work.characters += (this as Tokenizer).lexer.state.lastToken?.raw.length ?? 0;
      return rule.call(this, src, ...rest);
    });
  }
  return work;
}

afterEach(() => vi.restoreAllMocks());

test.each(Object.keys(hostile))(
  '[WI49] %s: the work of the lexer is bounded, at 20,000 and at 100,000 characters',
  (name) => {
    for (const length of [20_000, 100_000]) {
      const work = countWork();
      try {
        lex((hostile[name] as (length: number) => string)(length));
      } catch (error) {
        expect((error as Error).message).toBe('There is too much to read.');
      }
      vi.restoreAllMocks();
      expect(work.calls).toBeLessThan(1_000_000);
      // Without a bound the first text takes 20 billion.
      expect(work.characters).toBeLessThan(400_000_000);
    }
  },
);

test('[WI49] a paragraph that would take too long stays as it was written, and the others are formatted', () => {
  const long = filled('__a', 20_000);
  const [first, , second, , third] = lex(`**one**\n\n${long}\n\n**three**`);
  expect(first).toMatchObject({ tokens: [{ type: 'strong' }] });
  expect(second).toMatchObject({ type: 'paragraph', tokens: [{ type: 'kept', raw: long }] });
  expect(third).toMatchObject({ tokens: [{ type: 'strong' }] });
});

test('[WI49] a quote that would take too long stays as it was written, and the paragraphs around it are formatted', () => {
  const long = filled('> a\nb\n', 100_000).trim();
  const [first, , second, , third] = lex(`**one**\n\n${long}\n\n**three**`);
  expect(first).toMatchObject({ tokens: [{ type: 'strong' }] });
  expect(second).toEqual({ type: 'kept', raw: long });
  expect(third).toMatchObject({ tokens: [{ type: 'strong' }] });
});

test('[WI49] a thousand tasks are formatted, and six thousand stay as they were written', () => {
  const tasks = (count: number) => '- [ ] a\n'.repeat(count);
  expect(lex(tasks(1_000))[0]).toMatchObject({ type: 'list', items: { length: 1_000 } });
  expect(() => lex(tasks(6_000))).toThrow('There is too much to read.');
});

test('[WI49] ordinary text is formatted completely: 100,000 characters of paragraphs, lists, tables and code', () => {
  const part = [
    `## Part\n\n${filled('Some **bold**, `code` and [a link](https://example.com/) in a sentence. ', 500)}`,
    '- one\n  - two\n    - **three**\n- [ ] four\n\n1. a\n2. b',
    `| a | b |\n| --- | --- |\n${'| **1** | 2 |\n'.repeat(10)}`,
    `\`\`\`js\n${'const a = 1;\n'.repeat(20)}\`\`\``,
    '> quoted\n> > twice',
  ].join('\n\n');
  const text = filled(`${part}\n\n`, 100_000);
  expect(JSON.stringify(lex(text))).not.toContain('"kept"');
});
