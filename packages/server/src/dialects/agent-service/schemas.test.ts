import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { isSchema, resourceProblems } from './resource-check.fixture.ts';
import { documents } from './schemas.ts';

const host = 'https://agent-service.spec/v1/schemas/';

function refsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) => (key === '$ref' ? [value as string] : refsIn(value)));
}

test.each(Object.entries(documents))('%s is a schema, under the id that its place gives it', (place, document) => {
  expect(isSchema(document)).toBe(true);
  expect(document).toMatchObject({ $id: host + place });
});

test.each(Object.entries(documents))('every $ref of %s leads to a definition', (place, document) => {
  for (const ref of refsIn(document)) {
    const target = new URL(ref, host + place);
    const found = documents[target.href.split('#', 1)[0]?.slice(host.length) ?? ''] as Record<string, object>;
    const [, defs, name] = target.hash.slice(1).split('/');
    expect(found?.[defs ?? ''], ref).toHaveProperty(name ?? '');
  }
});

test('the document of the resource is the published one, and never edited', () => {
  const text = JSON.stringify(documents['resources/interaction-request.json']);
  expect(createHash('sha256').update(text).digest('hex')).toBe(
    '41a7a3fa71726f978cd0291f633982c8300fbd4f1a73002ceb396dd0c6b1fe85',
  );
});

test('the documents refuse what is no resource', () => {
  const resource = {
    interactionId: 'i',
    orgId: 'o',
    runId: 'r',
    attemptId: '1',
    kind: 'choice',
    status: 'pending',
    prompt: { content: [{ type: 'text', text: 'Hi' }] },
    origin: { type: 'agent' },
    blocking: true,
    scope: 'run',
    resolutionPolicy: 'first',
    createdAt: '2030-01-01T00:00:00Z',
    updatedAt: '2030-01-01T00:00:00Z',
  };
  expect(resourceProblems(resource)).toEqual([]);
  for (const wrong of [
    { status: 'answered' },
    { runId: '' },
    { createdAt: 'today' },
    { version: -1 },
    { prompt: { content: [{ type: 'text', text: 'Hi', extra: 1 }] } },
    { prompt: { content: [{ type: 'data' }] } },
    { options: [{ id: 'a', label: 'A' }] },
    { extra: 1 },
  ])
    expect(resourceProblems({ ...resource, ...wrong }), JSON.stringify(wrong)).not.toEqual([]);
});
