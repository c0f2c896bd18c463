import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonEqual } from './json-equal.ts';
import { checkQuestion, type Question, type QuestionInput } from './question.ts';
import { shownText } from './shown-text.ts';

const asked: QuestionInput = {
  kind: 'approval',
  title: 'Deploy 4.2?',
  body: 'All **green**.',
  content: [{ type: 'link', payload: { url: 'https://example.com/diff' } }],
  fields: [
    { name: 'region', type: 'select', options: ['eu', 'us'], default: 'eu' },
    { name: 'note', type: 'text', label: 'Übergabe 🚀', visibleIf: { all_of: [{ field: 'region', op: 'not_empty' }] } },
  ],
  arguments: { region: 'eu', steps: [{ flag: 'x', on: true }] },
  recommendations: { note: 'é' },
  payloadSchema: { type: 'object', properties: { n: { type: 'integer' } } },
  submitLabel: 'Go',
};

function questionOf(input: QuestionInput): Question {
  const checked = checkQuestion(input);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return checked.question;
}

const question = questionOf(asked);

/** Every place in a JSON value, as a path. */
function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...path, key]))];
}

function putAt(value: unknown, [key, ...rest]: readonly string[], part: unknown): unknown {
  if (key === undefined) return part;
  const inner = putAt((value as Record<string, unknown>)[key], rest, part);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? inner : item));
  return { ...(value as object), [key]: inner };
}

test('[BD1] any change of anything that is shown changes the text, and nothing else does', () => {
  const places = placesIn(question).filter((path) => path.length > 0);
  expect(places.length).toBeGreaterThan(50);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, part) => {
      const changed = putAt(question, place, part) as Question;
      const isSame = jsonEqual(JSON.parse(JSON.stringify(changed)), JSON.parse(JSON.stringify(question)));
      expect(shownText(changed) === shownText(question)).toBe(isSame);
    }),
    { numRuns: 1_000 },
  );
});

test('[BD1] each part of a question is in it, and so is that it is missing', () => {
  const names = Object.keys(question) as (keyof Question)[];
  expect(names.sort()).toEqual(Object.keys(asked).sort());
  for (const name of names) {
    const { [name]: _gone, ...others } = question;
    expect(shownText(others as Question)).not.toBe(shownText(question));
  }
});

test('[BD1] what is not shown is not in it', () => {
  const record = { ...question, id: 'i1', version: 3, status: 'answered', metadata: { a: 1 }, votes: [], digest: 'd' };
  expect(shownText(record)).toBe(shownText(question));
});

test('[BD1] it is of the characters as they are: letters that only look the same are others', () => {
  const composed = questionOf({ ...asked, title: 'Caf\u00e9?' });
  const decomposed = questionOf({ ...asked, title: 'Cafe\u0301?' });
  expect(shownText(composed)).not.toBe(shownText(decomposed));
  expect(shownText(composed)).toContain('Caf\u00e9?');
});
