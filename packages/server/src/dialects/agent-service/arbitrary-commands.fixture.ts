/** Random creates that are sound, each with payloads that answer it. */
import fc from 'fast-check';
import type { CreateCommand, InteractionOption, Prompt, TaskContent } from './schemas.ts';

export interface Asking {
  command: CreateCommand;
  /** A payload that fits the payloadSchema, if there is one. */
  payload: unknown;
}

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
const free = fc.dictionary(fc.constantFrom('a', 'toString', 'ünï/~'), json, { maxKeys: 2 });
const id = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text)),
  fc.constantFrom('run-1', 'x'.repeat(256), 'a b', 'ü', 'constructor'),
);
const words = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', ' ', '\n# Deploy\nnow', 'é'.repeat(999)));
const label = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text.trim() !== '');

const given = <T extends object>(parts: T): T =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as T;

const content: fc.Arbitrary<TaskContent> = fc.oneof(
  words.map((text) => ({ type: 'text' as const, text })),
  fc
    .record(
      { mimeType: fc.constant('image/png'), id: words, url: words, data: words, filename: words },
      { requiredKeys: ['mimeType'] },
    )
    .map((binary) => ({ type: 'binary' as const, ...binary })),
  json.map((data) => ({ type: 'data' as const, data })),
);

const prompt: fc.Arbitrary<Prompt> = fc.record(
  { title: words, description: words, content: fc.array(content, { maxLength: 3 }), metadata: free },
  { requiredKeys: [] },
);

const decisions = ['allow_once', 'allow_always', 'reject_once', 'reject_always'] as const;

const optionsOf = (kinds: readonly InteractionOption['kind'][]): fc.Arbitrary<InteractionOption[]> =>
  fc.uniqueArray(
    fc.record(
      { id: label, label, kind: fc.constantFrom(...kinds), description: words, metadata: free },
      { requiredKeys: ['id', 'label', 'kind'] },
    ),
    { minLength: 1, maxLength: 5, selector: (option) => option.id },
  );

const schemas: readonly { payloadSchema: Record<string, unknown>; payload: unknown }[] = [
  { payloadSchema: { type: 'string' }, payload: 'text' },
  { payloadSchema: {}, payload: null },
  { payloadSchema: { type: ['integer', 'null'] }, payload: null },
  {
    payloadSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    payload: { n: 1, text: 'x', decision: 'deny' },
  },
];

const asked = fc.oneof(
  fc.record({ kind: fc.constant('choice' as const), options: optionsOf(['answer', ...decisions]) }),
  fc.record({ kind: fc.constant('approval' as const), options: optional(optionsOf(decisions)) }),
  fc.constant({ kind: 'input' as const, options: undefined }),
  fc.constant({ kind: 'form' as const, options: undefined }),
);

const deadline = fc.constantFrom('2030-06-01T12:00:00Z', '2031-01-01T00:00:00.5+05:30', '2030-12-31T23:59:59-11:00');

export const arbitraryAsking: fc.Arbitrary<Asking> = asked.chain(({ kind, options }) => {
  const isAlways = options?.some((option) => option.kind.endsWith('_always')) ?? false;
  const far = fc.constantFrom('run' as const, 'thread' as const, 'org' as const);
  return fc
    .record({
      head: fc.record({ runId: id, attemptId: id, prompt }),
      threadId: optional(fc.constant('t')),
      schema: kind === 'form' ? fc.constantFrom(...schemas) : optional(fc.constantFrom(...schemas)),
      blocking: optional(fc.boolean()),
      scope: isAlways ? far : optional(fc.oneof(far, fc.constant('interaction' as const))),
      resolutionPolicy: optional(fc.constantFrom('first' as const, 'quorum' as const, 'unanimous' as const)),
      count: fc.integer({ min: 1, max: 100 }),
      deadlineAt: optional(deadline),
      origin: optional(
        fc.record(
          { type: fc.constantFrom('agent' as const, 'tool' as const, 'user' as const), reference: id, metadata: free },
          { requiredKeys: ['type'] },
        ),
      ),
      metadata: optional(free),
      grantKey: optional(id),
    })
    .map(({ head, schema, count, grantKey, metadata, resolutionPolicy, ...rest }) => {
      const isVoted = resolutionPolicy !== undefined && resolutionPolicy !== 'first';
      const notes = given({ grantKey, ...(isVoted ? { resolutionCount: count } : {}) });
      const all = metadata || Object.keys(notes).length > 0 ? { ...metadata, ...notes } : undefined;
      const command = { ...head, kind, options, ...rest, resolutionPolicy, metadata: all };
      return {
        command: given({ ...command, payloadSchema: schema?.payloadSchema }) as CreateCommand,
        payload: schema?.payload,
      };
    });
});
