import { describe, expect, test } from 'vitest';
import { type Asking, ask } from '../../domain/asking.fixture.ts';
import { fromRespond, type Responder } from './answer-codec.ts';
import type { RespondCommand } from './schemas.ts';

const admin = { kind: 'key', role: 'admin' } as const;

const responding = (asked: Asking, command: RespondCommand, caller: Responder = admin) =>
  fromRespond(ask(asked), command, caller);

function said(asked: Asking, command: RespondCommand) {
  const read = responding(asked, command);
  if (read.verb === 'refuse') throw new Error(JSON.stringify(read.problems));
  return { [read.verb]: read.input };
}

function problemsOf(asked: Asking, command: RespondCommand) {
  const read = responding(asked, command);
  return read.verb === 'refuse' ? read.problems.map(({ pointer, code }) => [pointer, code]) : [];
}

const approval: Asking = { kind: 'approval' };
const choice: Asking = { options: ['a', 'b'] };
const several: Asking = { options: ['a', 'b'], maxSelections: 2 };
const edited: Asking = { kind: 'approval', fields: [{ name: 'path', type: 'text' }] };
const input: Asking = {};
const form: Asking = { fields: [{ name: 'n', type: 'number' }] };
const payload: Asking = { payloadSchema: { type: ['string', 'null'] } };
const twoWays: Asking = {
  kind: 'approval',
  options: [
    { value: 'prod', label: 'Prod', kind: 'allow_once' },
    { value: 'test', label: 'Test', kind: 'allow_once' },
    { value: 'no', label: 'No', kind: 'reject_once' },
  ],
};

describe('a response is an answer', () => {
  test.each<[string, Asking, RespondCommand, object]>([
    ['by the id of an option', choice, { selectedOptionId: 'a' }, { values: { choice: 'a' } }],
    ['by the name of the field', choice, { payload: { choice: 'a' } }, { values: { choice: 'a' } }],
    ['by both', choice, { selectedOptionId: 'a', payload: { choice: 'a' } }, { values: { choice: 'a' } }],
    ['of several options by one', several, { selectedOptionId: 'a' }, { values: { choice: ['a'] } }],
    ['of several options by many', several, { payload: { choice: ['a', 'b'] } }, { values: { choice: ['a', 'b'] } }],
    ['of a decision alone', approval, { decision: 'accepted' }, { values: { decision: 'allow' } }],
    [
      'of a decision that the payload has',
      approval,
      { payload: { decision: 'deny' } },
      { values: { decision: 'deny' } },
    ],
    ['that rejects', approval, { decision: 'declined', selectedOptionId: 'deny' }, { values: { decision: 'deny' } }],
    [
      'with what was edited',
      edited,
      { decision: 'accepted', payload: { path: '/' } },
      { values: { decision: 'allow', path: '/' } },
    ],
    ['by a value', input, { payload: 'hi' }, { values: { text: 'hi' } }],
    ['by a value under its name', input, { payload: { text: 'hi' } }, { values: { text: 'hi' } }],
    [
      'by a value that is an object',
      input,
      { payload: { text: 'hi', x: 1 } },
      { values: { text: { text: 'hi', x: 1 } } },
    ],
    ['by no value', input, { decision: 'accepted', payload: null }, { values: {} }],
    ['by values', form, { payload: { n: 1 } }, { values: { n: 1 } }],
    ['by a payload', payload, { payload: 'x' }, { values: {}, payload: 'x' }],
    ['by a payload of null', payload, { payload: null }, { values: {}, payload: null }],
    [
      'by an option nobody knows',
      approval,
      { decision: 'declined', selectedOptionId: 'x' },
      { values: { decision: 'x' } },
    ],
    ['by nothing where a decision leaves open which', twoWays, { decision: 'accepted' }, { values: {} }],
  ])('%s', (_, asked, command, answer) => {
    expect(said(asked, command)).toEqual({ submitAnswer: answer });
  });
});

test.each([approval, choice, input, form, payload])('a decision to decline %o is a decline', (asked) => {
  expect(said(asked, { decision: 'declined', expectedVersion: 0, metadata: { why: 1 } })).toEqual({
    declineInteraction: { expectedVersion: 0, metadata: { why: 1 } },
  });
});

test.each<[Asking, RespondCommand, [string, string]]>([
  [input, {}, ['', 'required']],
  [input, { expectedVersion: 1, submittedBy: 'ann' }, ['', 'required']],
  [form, { selectedOptionId: 'a' }, ['/selectedOptionId', 'not-allowed']],
  [form, { payload: 'text' }, ['/payload', 'type']],
  [form, { payload: ['text'] }, ['/payload', 'type']],
  [choice, { payload: 'a' }, ['/payload', 'type']],
  [choice, { selectedOptionId: 'a', payload: { choice: 'b' } }, ['/selectedOptionId', 'contradiction']],
  [several, { selectedOptionId: 'a', payload: { choice: ['a', 'b'] } }, ['/selectedOptionId', 'contradiction']],
  [several, { selectedOptionId: 'a,b', payload: { choice: ['a', 'b'] } }, ['/selectedOptionId', 'contradiction']],
  [approval, { decision: 'accepted', selectedOptionId: 'deny' }, ['/decision', 'contradiction']],
  [approval, { decision: 'declined', selectedOptionId: 'allow' }, ['/decision', 'contradiction']],
  [choice, { decision: 'declined', selectedOptionId: 'a' }, ['/decision', 'contradiction']],
  [form, { decision: 'declined', payload: { n: 1 } }, ['/payload', 'not-allowed']],
  [payload, { decision: 'declined', payload: 'x' }, ['/payload', 'not-allowed']],
])('to %o the response %o is refused', (asked, command, problem) => {
  expect(problemsOf(asked, command)).toEqual([problem]);
});

describe('who is named', () => {
  const namedTo = (type: 'human' | 'agent' | 'any', caller: Responder) => {
    const read = responding({ responder: { type } }, { payload: 'x', submittedBy: 'ann' }, caller);
    return read.verb === 'submitAnswer' ? read.input.responder?.type : undefined;
  };

  test('by an admin is of the type that was asked', () => {
    expect((['human', 'agent', 'any'] as const).map((type) => namedTo(type, admin))).toEqual([
      'human',
      'agent',
      'human',
    ]);
  });

  test('by anybody else is what they are themselves', () => {
    expect(namedTo('human', { kind: 'key', role: 'agent' })).toBe('agent');
    expect(namedTo('any', { kind: 'responder' })).toBe('human');
  });
});

test.each<[Asking, RespondCommand, string, string]>([
  [choice, { selectedOptionId: 'x' }, '/values/choice', '/selectedOptionId'],
  [several, { selectedOptionId: 'x' }, '/values/choice/0', '/selectedOptionId'],
  [several, { payload: { choice: ['x'] } }, '/values/choice/0', '/payload/choice/0'],
  [edited, { decision: 'accepted', payload: { path: 1 } }, '/values/path', '/payload/path'],
  [edited, { payload: { path: 'x' } }, '/values/decision', '/selectedOptionId'],
  [input, { payload: 7 }, '/values/text', '/payload'],
  [input, { payload: { text: 7 } }, '/values/text', '/payload/text'],
  [form, { payload: {} }, '/values', '/payload'],
  [payload, { payload: {} }, '/payload/a', '/payload/a'],
])('to %o the response %o is wrong, not at %s, but at %s', (asked, command, ours, theirs) => {
  const read = responding(asked, command);
  expect(read.verb === 'submitAnswer' && read.toTheirs(ours)).toBe(theirs);
});
