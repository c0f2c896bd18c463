import { defined } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { fromCreate, threadOfRun } from './request-codec.ts';
import type { CreateCommand, InteractionOption } from './schemas.ts';

const base: CreateCommand = { runId: 'r', attemptId: '1', kind: 'approval', prompt: { title: 'Run?' } };

function asking(command: Partial<CreateCommand>) {
  const read = fromCreate({ ...base, ...command }, 'org');
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.asking;
}

function problemsOf(command: Partial<CreateCommand>) {
  const read = fromCreate({ ...base, ...command }, 'org');
  return read.ok ? [] : read.problems.map(({ pointer, code }) => [pointer, code]);
}

describe('the title', () => {
  test.each<[CreateCommand['kind'], CreateCommand['prompt'], string]>([
    ['input', { title: 'Name?', description: 'Yours' }, 'Name?'],
    ['input', { title: ' ', description: '\n  Your name\nin full' }, 'Your name'],
    [
      'input',
      {
        description: '',
        content: [
          { type: 'data', data: 1 },
          { type: 'text', text: 'Who?' },
        ],
      },
      'Who?',
    ],
    ['choice', {}, 'Choose'],
    ['approval', {}, 'Please decide'],
    ['form', { description: '🙂'.repeat(2000) }, '🙂'.repeat(1000)],
  ])('of a %s with the prompt %o is %j', (kind, prompt, title) => {
    expect(asking({ kind, prompt }).title).toBe(title);
  });
});

test('what is shown besides the words becomes blocks', () => {
  const content = [
    { type: 'text' as const, text: '**Look**' },
    { type: 'binary' as const, mimeType: 'image/png', url: 'https://x.example/a.png' },
    { type: 'data' as const, data: { rows: 3 } },
  ];
  expect(asking({ prompt: { title: 'Run?', content } }).content).toEqual([
    { type: 'message', payload: { text: '**Look**', format: 'markdown' } },
    { type: 'binary', payload: { mimeType: 'image/png', url: 'https://x.example/a.png' } },
    { type: 'data', payload: { data: { rows: 3 } } },
  ]);
});

describe('the thread of a run', () => {
  test.each(['run-7', 'a b', 'ü', 'x'.repeat(253), '/'])('%j has a UUID of its own, always the same', (runId) => {
    expect(threadOfRun(runId)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(threadOfRun(runId)).toBe(threadOfRun(runId));
    expect(threadOfRun(runId)).not.toBe(threadOfRun(`${runId} `));
  });
});

describe('an option that stands for later questions', () => {
  const options: InteractionOption[] = [
    { id: 'ever', label: 'Always', kind: 'allow_always' },
    { id: 'no', label: 'No', kind: 'reject_once' },
  ];
  const keyOf = (command: Partial<CreateCommand>) => asking({ options, scope: 'thread', ...command }).grant?.key;

  test.each([{}, { scope: 'interaction' as const }])('needs a scope that reaches further than %o', (command) => {
    expect(problemsOf({ options, ...command })).toEqual([['/scope', 'required']]);
  });

  test.each(['run', 'thread', 'org'] as const)('gives a grant of scope %s', (scope) => {
    expect(asking({ options, scope }).grant).toMatchObject({ scope });
  });

  test('is listed under the key that the requester names', () => {
    const origin = { type: 'tool' as const, reference: 'bash' };
    expect(keyOf({ origin })).toBe('bash');
    expect(keyOf({ origin, metadata: { grantKey: 'bash:ls' } })).toBe('bash:ls');
  });

  test('is listed under its origin if the requester names no key', () => {
    expect(keyOf({})).toBe('agent');
    expect(keyOf({ origin: { type: 'policy' } })).toBe('policy');
  });

  test.each([7, '', 'x'.repeat(257), null])('is refused where it is named %j', (grantKey) => {
    expect(problemsOf({ options, scope: 'run', metadata: { grantKey } })[0]?.[0]).toBe('/metadata/grantKey');
  });

  test('and without one a scope alone gives no grant', () => {
    expect(asking({ scope: 'org', options: options.slice(1) })).not.toHaveProperty('grant');
  });
});

describe('votes', () => {
  test('are counted as the metadata says', () => {
    expect(asking({ resolutionPolicy: 'quorum', metadata: { resolutionCount: 3 } }).resolution).toEqual({
      mode: 'quorum',
      count: 3,
    });
    expect(asking({ resolutionPolicy: 'first', metadata: { resolutionCount: 'x' } })).not.toHaveProperty('resolution');
  });

  test.each([
    [undefined, 'required'],
    [{}, 'required'],
    [{ resolutionCount: 0 }, 'min'],
    [{ resolutionCount: 101 }, 'max'],
    [{ resolutionCount: '2' }, 'type'],
  ])('are refused where it says %o', (metadata, code) => {
    expect(problemsOf({ resolutionPolicy: 'unanimous', ...defined({ metadata }) })).toEqual([
      ['/metadata/resolutionCount', code],
    ]);
  });
});

test('a resource of another org is refused', () => {
  expect(problemsOf({ orgId: 'org' })).toEqual([]);
  expect(problemsOf({ orgId: 'theirs', resolutionPolicy: 'quorum' })).toEqual([
    ['/orgId', 'value'],
    ['/metadata/resolutionCount', 'required'],
  ]);
});
