/** The fields of a form, by type and by rule, as on the page of the blocks. */
import { casesOf, expectLike, expectReply, expectStatus } from '../case.ts';
import type { World } from '../world.ts';
import { asked } from './blocks.ts';

/** A field, the value it takes, and values it does not take. */
const options = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];
const types: [string, object, unknown, unknown[]][] = [
  ['text', {}, 'Ada', [7, true]],
  ['textarea', {}, 'one\ntwo', [7]],
  ['email', {}, 'ada@example.com', ['nobody', 7]],
  ['tel', {}, '+1 555 0199', [7]],
  ['url', {}, 'https://ada.example', ['not an address', 7]],
  ['number', {}, 36.5, ['36.5', true]],
  ['date', {}, '2030-01-31', ['31.1.2030', '2030-02-30']],
  ['checkbox', {}, true, ['true', 1]],
  ['select', { options }, 'a', ['c', ['a']]],
  ['radio', { options }, 'b', ['c', 1]],
  ['multi_select', { options }, ['a', 'b'], ['a', ['c']]],
  ['rating', { maxStars: 4 }, 4, [0, 5, 2.5, '3']],
  ['file_upload', {}, undefined, ['data:text/plain;base64,aGk=', [1, 2, 3], { name: 'a.txt' }]],
  ['image_upload', {}, undefined, ['iVBORw0KGgo=', [{}]]],
  ['signature', {}, undefined, ['data:image/png;base64,iVBORw0KGgo=', [{}]]],
];

/** The names of the refused fields, without duplicates. */
const refusedIn = (reply: { body: { details: { field: string }[] } }): string[] =>
  [...new Set(reply.body.details.map(({ field }) => field.split(/[.[]/)[0] ?? ''))].sort();

/** The status of creating a question with these fields. */
const creates = async (world: World, ...fields: object[]): Promise<number> =>
  (await world.post(`/v1/threads/${await world.newThread()}/interactions`, { title: 'T', fields })).status;

const pick = { name: 'pick', type: 'select', required: true, options: ['x', 'y'] };
const shownIf = (name: string, ...rules: object[]) => ({
  name,
  type: 'text',
  required: true,
  visibleIf: { all_of: rules },
});
const rule = (op: string, value?: unknown, field = 'pick') => ({
  field,
  op,
  ...(value === undefined ? {} : { value }),
});

export const fieldsOfBlocks = casesOf('blocks', {
  'each type of field takes the value that the page gives it': async (world) => {
    const taking = types.filter(([, , good]) => good !== undefined);
    const fields = taking.map(([type, more]) => ({ name: type, type, required: true, ...more }));
    const { reply, finish } = await asked(world, { title: 'All', fields });
    const names = fields.map(({ name }) => ({ name }));
    expectLike(reply.blocks[1].payload.fields, names);
    const values = Object.fromEntries(taking.map(([type, , good]) => [type, good]));
    expectStatus(await finish(values), 200);
    const { body } = await world.get(`/v1/interactions?runId=${reply.executionId}`);
    const [{ answer }] = body.data;
    expectLike(answer.values, values);
  },
  'each type of field refuses other values, and raw bytes for a file': async (world) => {
    const fields = types.map(([type, more]) => ({ name: type, type, ...more }));
    const { resume } = await asked(world, { title: 'All', fields });
    const rounds = Math.max(...types.map(([, , , bad]) => bad.length));
    for (let round = 0; round < rounds; round++) {
      const wrong = types.filter(([, , , bad]) => bad.length > round).map(([type, , , bad]) => [type, bad[round]]);
      const reply = await resume(Object.fromEntries(wrong));
      expectReply(reply, 422, { error: 'validation_failed' });
      expectLike(refusedIn(reply), wrong.map(([type]) => type).sort());
    }
  },
  'a field is shown as each op says, and only where every rule holds': async (world) => {
    const fields = [
      pick,
      { name: 'note', type: 'text' },
      shownIf('equals', rule('equals', 'x')),
      shownIf('not_equals', rule('not_equals', 'x')),
      shownIf('in', rule('in', ['x', 'z'])),
      shownIf('not_in', rule('not_in', ['x', 'z'])),
      shownIf('empty', rule('empty', undefined, 'note')),
      shownIf('not_empty', rule('not_empty', undefined, 'note')),
      shownIf('both', rule('equals', 'y'), rule('not_empty', undefined, 'note')),
    ];
    const { reply, resume, finish } = await asked(world, { title: 'Rules', fields });
    expectLike(
      reply.blocks[1].payload.fields.map(({ visibleIf }: { visibleIf?: object }) => visibleIf),
      fields.map((field) => ('visibleIf' in field ? field.visibleIf : undefined)),
    );
    const missing = async (values: object) => refusedIn(await resume(values));
    expectLike(await missing({ pick: 'x' }), ['empty', 'equals', 'in']);
    expectLike(await missing({ pick: 'y' }), ['empty', 'not_equals', 'not_in']);
    expectLike(await missing({ pick: 'x', note: 'n' }), ['equals', 'in', 'not_empty']);
    expectLike(await missing({ pick: 'y', note: 'n' }), ['both', 'not_empty', 'not_equals', 'not_in']);
    const shown = { pick: 'x', equals: '1', in: '2', empty: '3' };
    expectStatus(await finish({ ...shown, both: 'hidden' }), 200);
    const { body } = await world.get(`/v1/interactions?runId=${reply.executionId}`);
    expectLike(Object.keys(body.data[0].answer.values).sort(), Object.keys(shown).sort());
  },
  'in and not_in take a list, empty and not_empty take no value': async (world) => {
    for (const op of ['in', 'not_in']) {
      expectLike(await creates(world, pick, shownIf('a', rule(op, ['x']))), 201);
      expectLike(await creates(world, pick, shownIf('a', rule(op, 'x'))), 400);
    }
    for (const op of ['empty', 'not_empty']) {
      expectLike(await creates(world, pick, shownIf('a', rule(op))), 201);
      expectLike(await creates(world, pick, shownIf('a', rule(op, 'x'))), 400);
    }
    expectLike(await creates(world, pick, shownIf('a', rule('like', 'x'))), 400);
  },
  'stars, icons, file sizes and retentions have their bounds': async (world) => {
    const bounds: [string, string, unknown[], unknown[]][] = [
      ['rating', 'maxStars', [1, 10], [0, 11, 2.5]],
      ['rating', 'ratingIcon', ['star', 'heart', 'thumb'], ['moon']],
      ['file_upload', 'maxSizeMb', [1, 100], [0, 101]],
      ['file_upload', 'accept', [[], ['image/*', 'application/pdf', '.csv']], [[7], 7]],
      ['file_upload', 'retention', ['persistent', 'transient'], ['short']],
      ['image_upload', 'multiple', [true, false], ['yes']],
    ];
    for (const [type, name, good, bad] of bounds) {
      for (const value of good) expectLike(await creates(world, { name: 'a', type, [name]: value }), 201, `${name}`);
      for (const value of bad) expectLike(await creates(world, { name: 'a', type, [name]: value }), 400, `${name}`);
    }
  },
});
