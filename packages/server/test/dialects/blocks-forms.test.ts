import { type FileRef, validatePayload } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import {
  api,
  type Block,
  echoed,
  expectRefused,
  type ReplyOrError,
  said,
  startSite,
  type Widget,
} from './blocks-client.ts';

const site = await startSite();
afterAll(() => site[Symbol.asyncDispose]());
const { open, server } = site;

describe('forms', () => {
  test('[BL5] show every type of field, and their schema has the inputs alone', async () => {
    const { say, resume } = await open();
    const asked = await say('form');
    expect(asked).toMatchObject({ status: 'waiting_input', waitToken: expect.any(String), waitExpiresAt: null });
    expect(asked.blocks.map(({ type }) => type)).toEqual(['message', 'form']);
    const { title, fields, submit_label } = (asked.blocks[1] as Block).payload as {
      title: string;
      fields: object[];
      submit_label: string;
    };
    expect({ title, submit_label }).toEqual({ title: 'Sign up', submit_label: 'Join' });
    expect(fields).toMatchObject([
      { type: 'heading', text: 'About you' },
      { type: 'paragraph' },
      { type: 'divider' },
      { type: 'text', name: 'name', label: 'Name', required: true },
      { type: 'textarea', rows: 4 },
      { type: 'email' },
      { type: 'tel' },
      { type: 'url' },
      { type: 'number', min: 18 },
      { type: 'date' },
      { type: 'checkbox' },
      {
        type: 'select',
        options: [
          { value: 's', label: 's' },
          { value: 'm', label: 'm' },
        ],
      },
      { type: 'radio', options: [{ value: 'r', label: 'Red' }] },
      { type: 'multi_select' },
      { type: 'rating', maxStars: 4, ratingIcon: 'heart' },
      { type: 'file_upload', accept: ['.csv', 'text/plain'], maxSizeMb: 2, retention: 'transient' },
      { type: 'image_upload', accept: ['image/*'], multiple: true },
      { type: 'signature', canvasWidth: 400, canvasHeight: 150 },
    ]);
    const schema = asked.expectedInput?.schema;
    expect(Object.keys(schema?.properties ?? {})).toEqual(
      'name story mail phone site age day news size colour toppings stars report photos signed'.split(' '),
    );
    expect(schema).toMatchObject({
      required: ['name'],
      properties: {
        stars: { minimum: 1, maximum: 4 },
        report: { 'x-upload': 'file_upload', accept: ['.csv', 'text/plain'], maxSizeMb: 2 },
        photos: { 'x-upload': 'image_upload', accept: ['image/*'] },
        signed: { 'x-upload': 'signature' },
      },
    });

    const wrong = await resume(asked, { mail: 'nobody', stars: 5, size: 'xl', nonsense: 1 });
    const { details } = expectRefused(wrong, 422, 'validation_failed');
    expect(details?.map(({ field }) => field).toSorted()).toEqual(['mail', 'name', 'nonsense', 'size', 'stars']);

    const values = {
      ...{ name: 'Ada', story: 'Long ago', mail: 'ada@example.com', phone: '+1 555 0199', site: 'https://ada.dev' },
      ...{ age: 36, day: '2030-01-31', news: true, size: 'm', colour: 'r', toppings: ['ham', 'olives'], stars: 4 },
    };
    expect(validatePayload(schema as object, values)).toEqual([]);
    const { status, body } = await resume(asked, values);
    expect(status).toBe(200);
    expect(body.reply).toMatchObject({ executionId: asked.executionId, status: 'completed' });
    expect(body.reply.blocks).toHaveLength(1);
    expect(echoed(body.reply)).toEqual({ status: 'answered', values });
  });

  test('[BL5] visibility is judged again by the server', async () => {
    const { say, resume } = await open();
    const asked = await say('late');
    const { fields } = (asked.blocks[0] as Block).payload as { fields: { visibleIf?: object }[] };
    expect(fields[1]?.visibleIf).toEqual({ all_of: [{ field: 'reason', op: 'equals', value: 'late' }] });
    const missing = expectRefused(await resume(asked, { reason: 'late' }), 422, 'validation_failed');
    expect(missing.details).toMatchObject([{ field: 'days', code: 'required' }]);
    const hidden = await resume(asked, { reason: 'broken', days: 'not even a number', note: 'x' });
    expect(hidden.status).toBe(200);
    expect(echoed(hidden.body.reply).values).toEqual({ reason: 'broken' });
  });

  test('[BL4] a choice is answered under its name, one or many', async () => {
    const { say, resume } = await open();
    const one = await say('choice');
    expect(one.blocks).toMatchObject([
      {
        type: 'choice',
        payload: { name: 'choice', title: 'Which?', options: [{ value: 'a' }, { value: 'b', label: 'B' }] },
      },
    ]);
    expect(one.expectedInput?.schema.required).toEqual(['choice']);
    const many = (await resume(one, { choice: 'b' })).body.reply;
    expect(many).toMatchObject({ status: 'waiting_input', executionId: one.executionId });
    expect(many.blocks.map(({ type }) => type)).toEqual(['message', 'choice']);
    expect(many.blocks[1]?.payload).toMatchObject({ multiple: true });
    expect(many.waitToken).not.toBe(one.waitToken);
    const done = (await resume(many, { choice: ['x', 'y'] })).body.reply;
    expect(echoed(done)).toEqual({ status: 'answered', values: { choice: ['x', 'y'] } });
  });

  test('[BL3] a text in place of an answer leaves the question as it is, where the agent waits for no text', async () => {
    const { say, resume } = await open();
    const asked = await say('choice');
    const again = await say('What do you mean?');
    expect(again).toEqual(asked);
    expect((await resume(again, { choice: 'a' })).status).toBe(200);
  });

  test('[BL4] an action of a card is the answer, by the name the schema says', async () => {
    const { say, resume } = await open();
    const asked = await say('card');
    expect(asked).toMatchObject({
      status: 'waiting_input',
      blocks: [
        {
          type: 'card',
          payload: {
            title: 'Plan B',
            image: 'https://acme.com/b.png',
            actions: [{ value: 'take' }, { url: 'https://acme.com/b' }],
          },
        },
      ],
      expectedInput: { schema: { required: ['action'] } },
    });
    expectRefused(await resume(asked, { action: 'https://acme.com/b' }), 422, 'validation_failed');
    const done = (await resume(asked, { action: 'take' })).body.reply;
    expect(echoed(done)).toEqual({ status: 'answered', values: { action: 'take' } });
  });

  test('[BL3] a run that waits for a message waits for input, and takes it either way', async () => {
    const { say, resume, poll } = await open();
    const asked = await say('talk');
    expect(asked).toMatchObject({ status: 'waiting_input', expectedInput: { schema: { required: ['text'] } } });
    const { details } = expectRefused(await resume(asked, { text: ' ', more: 1 }), 422, 'validation_failed');
    expect(details?.map(({ field }) => field)).toEqual(['text', 'more']);
    const done = (await resume(asked, { text: 'nothing much' })).body.reply;
    expect(done).toMatchObject({ status: 'completed', executionId: asked.executionId });
    expect(said(done)).toEqual(['You said nothing much']);
    expectRefused(await resume(asked, { text: 'more' }), 409, 'invalid_wait_token');
    const again = await say('talk');
    const next = await say('something');
    expect(next.executionId).toBe(again.executionId);
    expect(said(await poll(next.executionId))).toEqual(['You said something']);
  });
});

describe('uploads', () => {
  const upload = async ({ client }: Widget, executionId: string, field: string, file: Blob, name: string) => {
    const body = new FormData();
    body.set('file', file, name);
    const query = new URLSearchParams({ executionId, field });
    const response = await fetch(`${server.url}${api}/uploads?${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}` },
      body,
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as FileRef & ReplyOrError,
    };
  };
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const png = () => new Blob([pixel], { type: 'image/png' });

  test('[BL7] a file is uploaded for its field, and its descriptor is the value', async () => {
    const widget = await open();
    const asked = await widget.say('form');
    const { executionId } = asked;
    const csv = await upload(widget, executionId, 'report', new Blob(['a,b\n1,2\n'], { type: 'text/csv' }), 'r.csv');
    expect(csv.status, JSON.stringify(csv.body)).toBe(201);
    expect(csv.body).toEqual({
      file_id: expect.any(String),
      url: expect.any(String),
      name: 'r.csv',
      mime: expect.stringMatching(/^text\//),
      size: 8,
    });
    const photo = (await upload(widget, executionId, 'photos', png(), 'me.png')).body;
    const signed = (await upload(widget, executionId, 'signed', png(), 'signature.png')).body;
    const values = { name: 'Ada', report: csv.body, photos: [photo], signed };
    expect(validatePayload(asked.expectedInput?.schema as object, values)).toEqual([]);

    const other = await open();
    const theirs = await other.say('form');
    const stolen = expectRefused(await other.resume(theirs, values), 422, 'validation_failed');
    expect(new Set(stolen.details?.map(({ field }) => field.split(/[.[]/)[0]))).toEqual(
      new Set(['report', 'photos', 'signed']),
    );

    const { status, body } = await widget.resume(asked, values);
    expect(status, JSON.stringify(body)).toBe(200);
    // The agent has the native address, which its key may read.
    const stored = ({ url: _own, ...ref }: FileRef) => ({ ...ref, url: `/v1/files/${ref.file_id}/content` });
    expect(echoed(body.reply).values).toEqual({
      ...{ name: 'Ada', report: stored(csv.body), photos: [stored(photo)], signed: stored(signed) },
    });
  });

  test('[BL3][BL7] of two questions the first is put first, and a file for the other may come already', async () => {
    const widget = await open();
    const first = await widget.say('both');
    expect(first.blocks.map(({ type }) => type)).toEqual(['choice']);
    const doc = await upload(widget, first.executionId, 'doc', png(), 'a.png');
    expect(doc.status, JSON.stringify(doc.body)).toBe(201);
    const second = (await widget.resume(first, { choice: 'a' })).body.reply;
    expect(second.blocks.map(({ type }) => type)).toEqual(['form']);
    const done = (await widget.resume(second, { doc: doc.body })).body.reply;
    expect(echoed(done)).toEqual({ status: 'answered,answered' });
  });

  test('[BL7] what the field does not take is refused', async () => {
    const widget = await open();
    const { executionId } = await widget.say('form');
    const large = new Blob([Buffer.alloc(2 * 1024 * 1024 + 1, 'a')], { type: 'text/plain' });
    expect((await upload(widget, executionId, 'report', large, 'a.csv')).status).toBe(413);
    const disguised = await upload(widget, executionId, 'photos', new Blob(['<html>'], { type: 'image/png' }), 'a.png');
    expect(disguised.status).toBeGreaterThanOrEqual(400);
    for (const field of ['name', 'nothing']) {
      const { details } = expectRefused(await upload(widget, executionId, field, png(), 'a.png'), 400, 'invalid_input');
      expect(details).toMatchObject([{ field: 'field' }]);
    }
  });
});
