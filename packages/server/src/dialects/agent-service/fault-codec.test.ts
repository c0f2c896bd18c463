import { HoldpointError } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { createPointer, pointedBy, refusal } from './fault-codec.ts';

test.each([
  ['/title', '/prompt/title'],
  ['/body', '/prompt/description'],
  ['/content', '/prompt/content'],
  ['/content/3', '/prompt/content/3'],
  ['/content/3/payload/data/a~1b', '/prompt/content/3/data/a~1b'],
  ['/options', '/options'],
  ['/options/2/value', '/options/2/id'],
  ['/options/2/label', '/options/2/label'],
  ['/fields', '/payloadSchema'],
  ['/payloadSchema/properties/title', '/payloadSchema/properties/title'],
  ['/deadline/at', '/deadlineAt'],
  ['/resolution/count', '/metadata/resolutionCount'],
  ['/grant', '/scope'],
  ['/metadata/title', '/metadata/title'],
  ['/original/sent/prompt/content/0/data', '/prompt/content/0/data'],
  ['/original', ''],
])('what ours finds at %s the caller wrote at %s', (ours, theirs) => {
  expect(createPointer(ours)).toBe(theirs);
});

test('a refusal points at what the caller wrote, once', async () => {
  const problems = [
    { pointer: '/content/0/payload/data', code: 'too-deep', message: 'Too deep.' },
    { pointer: '/original/sent/prompt/content/0/data', code: 'too-deep', message: 'Too deep.' },
  ];
  const call = () => Promise.reject(new HoldpointError({ code: 'invalid-input', detail: 'ours', problems }));
  await expect(pointedBy(createPointer, call)).rejects.toMatchObject({
    fault: {
      code: 'invalid-input',
      detail: '/prompt/content/0/data: Too deep.',
      problems: [{ pointer: '/prompt/content/0/data' }],
    },
  });
});

test('a fault without a pointer into the request passes unchanged', async () => {
  const fault = new HoldpointError({ code: 'forbidden', detail: 'No.' });
  await expect(pointedBy(createPointer, () => Promise.reject(fault))).rejects.toBe(fault);
});

test('a refusal of many problems names a few in its sentence and all in its list', () => {
  const problems = Array.from({ length: 9 }, (_, i) => ({ pointer: `/${i}`, code: 'x', message: 'No.' }));
  expect(refusal('invalid-input', problems).fault).toMatchObject({
    detail: expect.stringMatching(/And 4 more\.$/),
    problems,
  });
});
