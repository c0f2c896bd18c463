import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentScheme, schemeOf } from './digest-scheme.ts';
import { jsonEqual } from './json.ts';
import { checkQuestion, type Question, type QuestionInput } from './question.ts';

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

type Bound = Parameters<typeof textOf>[0];

const { textOf } = currentScheme;
const policy: Omit<Bound, keyof Question> = {
  responder: { type: 'human', assignees: ['ben', 'ann'] },
  resolution: { mode: 'quorum', count: 2 },
  deadline: { at: '2030-01-01T00:00:00.000Z', outcome: 'expire' },
  grant: { key: 'deploy', scope: 'org', forMs: 60_000 },
};

function boundOf(input: QuestionInput): Bound {
  const checked = checkQuestion(input);
  if (!checked.ok) throw new Error(JSON.stringify(checked.problems));
  return { ...checked.question, ...policy };
}

const bound = boundOf(asked);

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

test('[BD1] any change of anything that is shown changes the text', () => {
  const places = placesIn(bound).filter(([name = '']) => Object.hasOwn(asked, name));
  expect(places.length).toBeGreaterThan(50);
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, part) => {
      const changed = putAt(bound, place, part) as Bound;
      const isSame = jsonEqual(JSON.parse(JSON.stringify(changed)), JSON.parse(JSON.stringify(bound)));
      expect(textOf(changed) === textOf(bound)).toBe(isSame);
    }),
    { numRuns: 1_000 },
  );
});

test('[BD1] each part is in it, and so is that it is missing', () => {
  const names = Object.keys(bound) as (keyof Bound)[];
  expect(names.sort()).toEqual(Object.keys({ ...asked, ...policy }).sort());
  for (const name of names.filter((each) => each !== 'responder')) {
    const { [name]: _gone, ...others } = bound;
    expect(textOf(others as Bound)).not.toBe(textOf(bound));
  }
});

test('[BD1] what is not shown is not in it', () => {
  const record = { ...bound, id: 'i1', version: 3, status: 'answered', metadata: { a: 1 }, votes: [], digest: 'd' };
  expect(textOf(record)).toBe(textOf(bound));
});

test('[BD1] any change of the policy changes the text', () => {
  for (const change of [
    { responder: { type: 'human' } },
    { responder: { type: 'any', assignees: ['ann', 'ben'] } },
    { responder: { type: 'human', assignees: ['ann'] } },
    { resolution: { mode: 'first' } },
    { resolution: { mode: 'quorum', count: 1 } },
    { resolution: { mode: 'unanimous', count: 2 } },
    { resolution: { mode: 'quorum', of: [{ group: 'finance', count: 2 }] } },
    { responder: { ...bound.responder, notRequester: true } },
    { deadline: { at: '2030-01-01T00:00:00.000Z', outcome: 'recommended' } },
    { deadline: { at: '2030-01-01T00:00:01.000Z', outcome: 'expire' } },
    { grant: { key: 'deploy', scope: 'org' } },
    { grant: { key: 'deploy', scope: 'run', forMs: 60_000 } },
    { grant: { key: 'other', scope: 'org', forMs: 60_000 } },
  ] satisfies Partial<Bound>[])
    expect(textOf({ ...bound, ...change })).not.toBe(textOf(bound));
  expect(textOf({ ...bound, responder: { type: 'human', assignees: ['ann', 'ben', 'ann'] } })).toBe(textOf(bound));
  expect(textOf({ ...bound, responder: { ...bound.responder, notRequester: false } })).toBe(textOf(bound));
});

test('[BD1] who may answer is the same before and after an escalation, and reminders are not in it', () => {
  const escalations = [{ at: '2029-01-01T00:00:00.000Z', assignees: ['cy', 'ann'] }];
  const responder = { type: 'human', assignees: ['ben', 'ann', 'cy'] } as const;
  const done = { ...bound, escalations, responder: { ...responder, assignees: [...responder.assignees] } };
  expect(textOf({ ...bound, escalations })).toBe(textOf(done));
  expect(textOf({ ...bound, escalations })).not.toBe(textOf(bound));
  const deadline = { at: '2030-01-01T00:00:00.000Z', outcome: 'expire' as const, remindBeforeMs: [1] };
  expect(textOf({ ...bound, deadline })).toBe(textOf(bound));
});

test('[AN30] a digest that was stored before the policy was part of it keeps its text', () => {
  const { responder, resolution } = policy;
  const old = schemeOf(`sha-256:${'0'.repeat(64)}`);
  expect(old.textOf(bound)).toBe(old.textOf({ ...boundOf(asked), responder: { type: 'any' }, resolution }));
  expect(old.textOf({ ...bound, title: 'Other' })).not.toBe(old.textOf(bound));
  expect(schemeOf(undefined)).toBe(currentScheme);
  expect(schemeOf(`${currentScheme.prefix}0`)).toBe(currentScheme);
  expect(old.textOf(bound)).not.toContain(JSON.stringify(responder.type));
});

test('[BD1] it is of the characters as they are: letters that only look the same are others', () => {
  const composed = boundOf({ ...asked, title: 'Caf\u00e9?' });
  const decomposed = boundOf({ ...asked, title: 'Cafe\u0301?' });
  expect(textOf(composed)).not.toBe(textOf(decomposed));
  expect(textOf(composed)).toContain('Caf\u00e9?');
});
