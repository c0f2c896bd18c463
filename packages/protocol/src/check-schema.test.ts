import { Type } from 'typebox';
import { Settings } from 'typebox/system';
import { describe, expect, it } from 'vitest';
import { checkShape } from './check-schema.ts';

const strict = { additionalProperties: false } as const;
const Block = Type.Union([
  Type.Object({ type: Type.Literal('link'), url: Type.String(), label: Type.String({ maxLength: 3 }) }, strict),
  Type.Object({ type: Type.Literal('image'), url: Type.String(), alt: Type.String() }, strict),
]);
const Body = Type.Object(
  {
    title: Type.String({ minLength: 1 }),
    kind: Type.Optional(Type.Union([Type.Literal('form'), Type.Literal('choice')])),
    when: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    blocks: Type.Optional(Type.Array(Block, { maxItems: 2 })),
  },
  strict,
);

const found = (value: unknown) =>
  checkShape(Body, value, '/body').map(({ pointer, message }) => `${pointer} ${message}`);

describe('checkShape', () => {
  it.each([
    [
      'takes what fits',
      { title: 'x', kind: 'form', when: null, count: 1, blocks: [{ type: 'link', url: 'u', label: 'l' }] },
      [],
    ],
    ['wants an object', 3, ['/body This must be an object.']],
    ['points at what is missing', {}, ['/body/title The property "title" is missing.']],
    [
      'points at what is unknown, once',
      { title: 'x', 'a/b': 1, toString: 2 },
      [
        '/body/a~1b The property "a/b" is not allowed here.',
        '/body/toString The property "toString" is not allowed here.',
      ],
    ],
    ['names the type wanted', { title: 1 }, ['/body/title This must be a string.']],
    ['says an empty string is empty', { title: '' }, ['/body/title This must not be empty.']],
    ['lists the values of a union', { title: 'x', kind: 'foo' }, ['/body/kind This must be one of "form", "choice".']],
    ['lists the types of a union', { title: 'x', when: 3 }, ['/body/when This must be a string or null.']],
    ['says the least number', { title: 'x', count: 0 }, ['/body/count This must be 1 or more.']],
    ['wants whole numbers', { title: 'x', count: 1.5 }, ['/body/count This must be an integer.']],
    [
      'speaks of the branch that was meant',
      { title: 'x', blocks: [{ type: 'link', url: 'u', label: 'long' }] },
      ['/body/blocks/0/label This may have at most 3 characters.'],
    ],
    [
      'speaks of the branch that was meant, though it lacks more',
      { title: 'x', blocks: [{ type: 'image' }] },
      ['/body/blocks/0/url The property "url" is missing.', '/body/blocks/0/alt The property "alt" is missing.'],
    ],
    [
      'keeps the items of a list apart',
      {
        title: 'x',
        blocks: [
          { type: 'image', url: 1, alt: 'a' },
          { type: 'link', url: 'u' },
        ],
      },
      ['/body/blocks/0/url This must be a string.', '/body/blocks/1/label The property "label" is missing.'],
    ],
    [
      'limits lists',
      { title: 'x', blocks: Array(3).fill({ type: 'link', url: 'u', label: 'l' }) },
      ['/body/blocks This may have at most 2 items.'],
    ],
  ] as [string, unknown, string[]][])('[F26] %s', (_name, value, expected) => {
    expect(found(value)).toEqual(expected);
  });

  it('[F26] says which types there are when none was meant', () => {
    expect(found({ title: 'x', blocks: [{ type: 'video' }] })).toContain(
      '/body/blocks/0/type This must be one of "link", "image".',
    );
  });

  it('[F26] returns more than the eight errors TypeBox stops at, and leaves its settings alone', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i]));
    expect(found({ title: 'x', ...many })).toHaveLength(50);
    const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    expect(found({ title: 'x', ...flood })).toHaveLength(200);
    expect(Settings.Get().maxErrors).toBe(8);
  });

  it('[X31] looks at a bounded part of what is too long or too wide, however much there is', () => {
    let looks = 0;
    const block = Object.defineProperty({}, 'type', { enumerable: true, get: () => ++looks });
    const problems = checkShape(Body, { title: 'x', blocks: Array(300_000).fill(block) });
    expect(problems.length).toBeGreaterThan(50);
    expect(problems.at(-1)).toMatchObject({ pointer: '', code: 'more' });
    expect(looks).toBeLessThan(10_000);
    expect(found({ title: 'x', blocks: Array(300_000).fill({ type: 'link', url: 'u', label: 'l' }) })).toEqual([
      '/body/blocks This may have at most 2 items.',
    ]);
  });

  it('[X31] does not report a property as missing that comes after thousands of unknown ones', () => {
    const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
    expect(found({ ...flood, title: 'x' }).filter((line) => !line.includes('is not allowed here'))).toEqual([
      ' There are more problems than these.',
    ]);
  });
});
