import { createHash } from 'node:crypto';
import type { FileRef, Problem, StoredFile } from '@holdpoint/protocol';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import * as files from '../../files-of-tests.ts';
import { type SentUpload, upload } from '../../files-of-tests.ts';
import { startSpecServer } from '../openapi/spec-server.ts';

const server = await startSpecServer();
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

const photo = { name: 'photo', type: 'image_upload', label: 'Photo' };
const ask = (field: object = photo, more: object = {}) =>
  admin.ask({ title: 'Show me', options: undefined, fields: [field], ...more });
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const contentOf = async ({ url }: FileRef) =>
  Buffer.from(
    await (await fetch(server.url + url, { headers: { authorization: `Bearer ${admin.token}` } })).arrayBuffer(),
  );

describe('an upload', () => {
  test.each([{ isRaw: false }, { isRaw: true }])('[UP1][UP5] is taken, and answered with: %j', async ({ isRaw }) => {
    const { id, threadId } = await ask();
    const { status, body: ref } = await upload(admin, id, { isRaw, content: files.png(640, 480), name: 'Me.PNG' });
    expect(status).toBe(201);
    const size = files.png(640, 480).byteLength;
    expect(ref).toEqual({
      ...{ file_id: expect.any(String), url: `/v1/files/${ref.file_id}/content` },
      ...{ name: 'Me.PNG', mime: 'image/png', size },
    });
    expect(await contentOf(ref)).toEqual(files.png(640, 480));
    const record = (await admin.get<StoredFile>(`/v1/files/${ref.file_id}`)).body;
    expect(record).toMatchObject({
      ...{ threadId, interactionId: id, field: 'photo', name: 'Me.PNG', size, width: 640, height: 480 },
      ...{ sha256: sha256(files.png(640, 480)), retention: 'persistent', isAnswered: false },
    });
    const answered = await admin.answer(id, { photo: ref });
    expect(answered.body).toMatchObject({ status: 'answered', answer: { values: { photo: ref } } });
    expect((await admin.get<StoredFile>(`/v1/files/${ref.file_id}`)).body.isAnswered).toBe(true);
  });

  test('[UP1] of many bytes is stored as it was sent, whatever looks like the end of a form in it', async () => {
    const { id } = await ask({ name: 'photo', type: 'file_upload' });
    const line = Buffer.from('\r\n------formdata-undici-0123456789\r\n--\r\n');
    const content = Buffer.concat([Buffer.from([0, 1, 2]), ...Array.from({ length: 30_000 }, () => line)]);
    for (const isRaw of [false, true]) {
      const { body } = await upload(admin, id, { name: 'a.bin', mime: 'application/octet-stream', content, isRaw });
      expect(sha256(await contentOf(body))).toBe(sha256(content));
    }
  });

  test.each([
    ['a JPEG', { name: 'a.jpg', mime: 'image/jpeg', content: files.jpeg }, { width: 300, height: 200 }],
    ['a GIF', { name: 'a.gif', mime: 'image/gif', content: files.gif }, { width: 300, height: 200 }],
    ['a WebP', { name: 'a.webp', mime: 'image/webp', content: files.webp }, { width: 300, height: 200 }],
  ])('[UP6] %s has its size in pixels', async (_what, sent, size) => {
    const { id } = await ask();
    const { body } = await upload(admin, id, sent);
    expect((await admin.get(`/v1/files/${body.file_id}`)).body).toMatchObject(size);
  });

  test('[UP1] is for a field that takes files, of a question that is open', async () => {
    const { id } = await ask(photo, { fields: [photo, { name: 'note', type: 'text', required: false }] });
    for (const field of ['other', 'note', '__proto__'])
      expect(await upload(admin, id, { field })).toMatchObject({
        status: 400,
        body: { code: 'invalid-input', errors: [{ pointer: '/query/field' }] },
      });
    expect(await upload(admin, 'nowhere')).toMatchObject({ status: 404, body: { code: 'interaction-not-found' } });
    await admin.post(`/v1/interactions/${id}/cancel`);
    expect(await upload(admin, id)).toMatchObject({ status: 409, body: { code: 'interaction-cancelled' } });
  });

  test('[UP1][X4] is taken of a person who was asked, and of nobody else', async () => {
    const { id } = await ask(photo, { responder: { type: 'human', assignees: ['ada'] } });
    const ada = await admin.withToken({ interactionId: id });
    const bob = await admin.withToken({ interactionId: id, responderId: 'bob' });
    const { body } = await upload(ada, id);
    expect((await ada.get<StoredFile>(`/v1/files/${body.file_id}`)).body.by).toMatchObject({
      type: 'human',
      id: 'ada',
      via: 'token',
    });
    expect(await upload(bob, id)).toMatchObject({ status: 403, body: { code: 'wrong-responder' } });
    const elsewhere = await admin.withToken({ interactionId: (await ask()).id });
    expect(await upload(elsewhere, id)).toMatchObject({ status: 404, body: { code: 'interaction-not-found' } });
    expect(await upload(admin.as(undefined), id)).toMatchObject({ status: 401 });
    expect((await ada.answer(id, { photo: body })).status).toBe(200);
  });

  test('[UP32] of two files, or without a body, is refused, and nothing is kept', async () => {
    const { id } = await ask({ name: 'photo', type: 'file_upload' });
    const send = async (body?: RequestInit['body'], headers = {}) => {
      const url = `${server.url}/v1/interactions/${id}/uploads?field=photo`;
      const reply = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, ...headers },
        ...(body === undefined ? {} : { body, duplex: 'half' }),
      } as RequestInit);
      return { status: reply.status, body: await reply.json() };
    };
    const two = new FormData();
    // The first is longer than what is read at once, so that it is on its way to the disk when the second comes.
    two.append('file', new Blob([Buffer.alloc(300_000, 'a')]), 'a.txt');
    two.append('file', new Blob(['b']), 'b.txt');
    const octets = { 'content-type': 'application/octet-stream' };
    for (const reply of [
      await send(two),
      await send(undefined, octets),
      await send('', octets),
      await send(new ReadableStream({ start: (controller) => controller.close() }), octets),
    ])
      expect(reply).toMatchObject({ status: 400, body: { code: 'invalid-input', errors: [{ pointer: '/file' }] } });
    expect((await upload(admin, id)).status).toBe(201);
  });

  test('[UP1] without the part "file", or in a form that is broken, is refused', async () => {
    const { id } = await ask();
    const send = (body: string | FormData, contentType?: string) =>
      fetch(server.url + files.uploadsOf(id), {
        method: 'POST',
        headers: { authorization: `Bearer ${admin.token}`, ...(contentType ? { 'content-type': contentType } : {}) },
        body,
      });
    const before = await server.place.blobBytes();
    const form = new FormData();
    form.append('other', new Blob(['x']), 'a.png');
    expect((await send(form)).status).toBe(400);
    const part =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n';
    for (const [body, type] of [
      ['', 'multipart/form-data; boundary=x'],
      ['hello', 'multipart/form-data'],
      [`${part}${files.png(1, 1).toString('latin1')}`, 'multipart/form-data; boundary=x'],
      [`${part}`, 'multipart/form-data; boundary=x'],
    ] as const) {
      const response = await send(body, type);
      expect(response.status, body).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'invalid-input' });
    }
    expect(await server.place.blobBytes()).toBe(before);
  });
});

test('[H2] no form, however broken, is answered with a 5xx, or ends the server', async () => {
  const { id } = await ask({ name: 'photo', type: 'file_upload' });
  const whole = [
    '--x\r\ncontent-disposition: form-data; name="note"\r\n\r\nhello\r\n',
    '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\ncontent-type: text/plain\r\n\r\n',
    `${'text '.repeat(50)}\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="b"\r\n\r\nmore\r\n--x--\r\n`,
  ].join('');
  await fc.assert(
    fc.asyncProperty(
      fc.nat(whole.length),
      fc.nat(whole.length),
      fc.string({ unit: 'binary', maxLength: 20 }),
      async (from, to, put) => {
        const response = await fetch(server.url + files.uploadsOf(id), {
          method: 'POST',
          headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=x' },
          body: whole.slice(0, from) + put + whole.slice(to),
        });
        expect(response.status, await response.text()).toBeOneOf([201, 400, 422]);
      },
    ),
    { numRuns: 150 },
  );
});

describe('the type of a file', () => {
  const anything = { name: 'photo', type: 'file_upload' };
  const refused: [string, object, SentUpload][] = [
    ['a program named as a picture', photo, { name: 'a.png', mime: 'image/png', content: files.exe }],
    ['a program named as a picture, for a field that takes anything', anything, { name: 'a.png', content: files.exe }],
    ['a page named as a picture', photo, { name: 'a.png', mime: 'image/png', content: files.html }],
    ['a page named as a picture, for a field that takes anything', anything, { name: 'a.png', content: files.html }],
    ['a page said to be SVG', photo, { name: 'a.svg', mime: 'image/svg+xml', content: files.html }],
    ['a text said to be a PDF', anything, { name: 'a.pdf', mime: 'application/pdf', content: files.text }],
    ['a program named as a text', anything, { name: 'a.txt', mime: 'text/plain', content: files.exe }],
    ['a picture named as a program', anything, { name: 'a.exe', mime: 'application/octet-stream' }],
    ['a JPEG named as a PNG', photo, { name: 'a.png', mime: 'image/png', content: files.jpeg }],
    ['nothing named as a picture', photo, { content: new Uint8Array() }],
    ['a PDF for a picture', photo, { name: 'a.pdf', mime: 'application/pdf', content: files.pdf }],
    ['a PDF that is said to be anything', photo, { name: 'a', mime: 'application/octet-stream', content: files.pdf }],
    [
      'SVG where only PNG is taken',
      { ...photo, accept: ['image/png'] },
      { name: 'a.svg', mime: '', content: files.svg },
    ],
    ['a JPEG for a signature', { name: 'photo', type: 'signature' }, { name: 'a.jpg', mime: '', content: files.jpeg }],
    [
      'a page where texts are taken',
      { ...anything, accept: ['text/plain'] },
      { name: 'a.txt', mime: 'text/plain', content: files.html },
    ],
    ['another extension', { ...anything, accept: ['.pdf'] }, {}],
    ['an archive said to be a picture', photo, { name: 'a', mime: 'image/x-apple', content: files.zip }],
    ['an archive said to be some picture in one', photo, { name: 'a', mime: 'image/a+zip', content: files.zip }],
    ['bytes said to be an unknown picture', photo, { name: 'a', mime: 'image/x-foo', content: Buffer.from([0, 1, 2]) }],
    [
      'bytes said to be an unknown picture, for a field that takes anything',
      anything,
      { name: 'a', mime: 'image/x-foo', content: Buffer.from([0, 1, 2]) },
    ],
  ];
  test.each(refused)('[UP3] %s is refused, and nothing is left of it', async (_what, field, sent) => {
    const { id } = await ask(field);
    const before = await server.place.blobBytes();
    const reply = await upload(admin, id, sent);
    expect(reply).toMatchObject({ status: 422, body: { code: 'file-type-refused' } });
    expect(await server.place.blobBytes()).toBe(before);
  });

  const taken: [string, object, SentUpload, string][] = [
    ['a picture that nobody says anything of', photo, { name: 'scan', mime: 'application/octet-stream' }, 'image/png'],
    ['SVG as a picture', photo, { name: 'a.svg', mime: 'image/svg+xml', content: files.svg }, 'image/svg+xml'],
    [
      'a PDF by its extension',
      { ...anything, accept: ['.pdf'] },
      { name: 'A.PDF', mime: '', content: files.pdf },
      'application/pdf',
    ],
    [
      'a table of text',
      { ...anything, accept: ['text/csv'] },
      { name: 'a.csv', mime: 'text/csv', content: files.text },
      'text/csv',
    ],
    [
      'a table by its name',
      anything,
      { name: 'a.csv', mime: 'application/octet-stream', content: files.text },
      'text/csv',
    ],
    [
      'JSON',
      { ...anything, accept: ['application/json'] },
      { name: 'a.json', mime: '', content: Buffer.from('{"a":1}') },
      'application/json',
    ],
    [
      'a type in another form',
      { ...photo, accept: ['image/jpg'] },
      { name: 'a.jpg', mime: '', content: files.jpeg },
      'image/jpg',
    ],
    ['a signature', { name: 'photo', type: 'signature' }, {}, 'image/png'],
    [
      'bytes of no known type',
      anything,
      { name: 'a.xyz', mime: '', content: Buffer.from([0, 1, 2]) },
      'application/octet-stream',
    ],
    [
      'a program where anything is taken',
      anything,
      { name: 'a.exe', mime: '', content: files.exe },
      'application/x-msdownload',
    ],
    [
      'a program where the list of types is empty',
      { ...anything, accept: [] },
      { name: 'a.exe', mime: '', content: files.exe },
      'application/x-msdownload',
    ],
    [
      'a document in an archive',
      anything,
      { name: 'a.epub', mime: 'application/epub+zip', content: files.zip },
      'application/epub+zip',
    ],
    ['nothing at all', anything, { name: 'a', mime: '', content: new Uint8Array() }, 'text/plain'],
  ];
  test.each(taken)('[UP3] %s is taken, as what it is', async (_what, field, sent, mime) => {
    const { id } = await ask(field);
    const { status, body } = await upload(admin, id, sent);
    expect({ status, mime: body.mime }).toEqual({ status: 201, mime });
    expect((await admin.answer(id, { photo: body })).body).toMatchObject({ answer: { values: { photo: body } } });
  });
});

test.each([
  'application/x\u0001y',
  `application/${'x'.repeat(300)}`,
  'application/é',
  'constructor',
  'application/x y',
])('[UP3][UP7] a type that is none, %j, is not listened to', async (mime) => {
  const { id } = await ask({ name: 'photo', type: 'file_upload' });
  const part = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.xyz"\r\ncontent-type: ${mime}\r\n\r\n`;
  const response = await fetch(server.url + files.uploadsOf(id), {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'multipart/form-data; boundary=x' },
    body: Buffer.concat([Buffer.from(part), Buffer.from([0, 1, 2]), Buffer.from('\r\n--x--\r\n')]),
  });
  const ref = (await response.json()) as FileRef;
  expect({ status: response.status, mime: ref.mime }).toEqual({ status: 201, mime: 'application/octet-stream' });
  expect(await contentOf(ref)).toEqual(Buffer.from([0, 1, 2]));
  expect((await admin.answer(id, { photo: ref })).status).toBe(200);
});

describe('names', () => {
  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\scan.png', 'scan.png'],
    ['nul.png', '_nul.png'],
    ['\u202egpj.exe\u0000.png', 'gpj.exe.png'],
    ['..', 'file'],
    ['a"b<c>:d|e?.png', 'a_b_c__d_e_.png'],
    ['caf\u0065\u0301 \u2615.png', 'caf\u00e9 \u2615.png'],
  ])('[UP4] %j is kept as %j', async (sent, kept) => {
    const { id } = await ask({ name: 'photo', type: 'file_upload' });
    expect((await upload(admin, id, { name: sent, isRaw: true })).body.name).toBe(kept);
  });
});

describe('files in answers', () => {
  const refused = (reply: { status: number; body: unknown }, pointer: string) =>
    expect(reply).toMatchObject({
      status: 422,
      body: { code: 'invalid-answer', errors: [{ pointer, code: 'unknown-file' }] },
    });

  test('[UP5] what is stored of a file is what counts, whatever the answer says of it', async () => {
    const { id } = await ask();
    const { body: ref } = await upload(admin, id);
    const forged = { ...ref, name: 'b.exe', mime: 'application/x-msdownload', size: 1, url: 'https://example.com/' };
    expect((await admin.answer(id, { photo: forged })).body).toMatchObject({ answer: { values: { photo: ref } } });
  });

  test('[UP5] its id is enough, and further properties are rejected', async () => {
    const { id } = await ask();
    const { body: ref } = await upload(admin, id);
    const { body } = await admin.answer(id, { photo: { ...ref, extra: 1 } });
    expect(body).toMatchObject({ code: 'invalid-answer', errors: [{ pointer: '/values/photo', code: 'type' }] });
    expect((await admin.answer(id, { photo: { file_id: ref.file_id } })).body).toMatchObject({
      answer: { values: { photo: ref } },
    });
  });

  test('[UP5][X2] a file of another org, interaction or field is refused in the words for one that never was', async () => {
    const fields = [photo, { name: 'second', type: 'image_upload', label: 'Photo', required: false }];
    const { id } = await ask(photo, { fields });
    const other = await admin.withOrg('other-files');
    const theirs = await other.ask({ title: 'Show me', options: undefined, fields });
    const sentences = new Set<string>();
    for (const [by, where, field] of [
      [other, theirs.id, 'photo'],
      [admin, (await ask()).id, 'photo'],
      [admin, id, 'second'],
    ] as const) {
      const { body: ref } = await upload(by, where, { field });
      const reply = await admin.answer(id, { photo: ref });
      refused(reply, '/values/photo/file_id');
      const [problem] = (reply.body as unknown as { errors: Problem[] }).errors;
      sentences.add(problem?.message.replace(ref.file_id, '…') ?? '');
    }
    const never = await admin.answer(id, { photo: { ...(await upload(admin, id)).body, file_id: 'never' } });
    refused(never, '/values/photo/file_id');
    sentences.add((never.body as unknown as { errors: Problem[] }).errors[0]?.message.replace('never', '…') ?? '');
    expect([...sentences]).toEqual(['Photo: there is no file … for this field; upload it first.']);
  });

  test('[UP5] each of several is looked at', async () => {
    const { id } = await ask({ ...photo, multiple: true });
    const refs = await Promise.all([1, 2, 3].map(async () => (await upload(admin, id)).body));
    refused(await admin.answer(id, { photo: [refs[0], { ...refs[1], file_id: 'no' }] }), '/values/photo/1/file_id');
    expect((await admin.answer(id, { photo: refs })).body).toMatchObject({ answer: { values: { photo: refs } } });
    for (const { file_id } of refs) expect((await admin.get(`/v1/files/${file_id}`)).body.isAnswered).toBe(true);
  });

  test('[UP5][R2] each vote keeps its own', async () => {
    const { id } = await ask(photo, { resolution: { mode: 'quorum', count: 2 } });
    const vote = async (responderId: string) => {
      const voter = await admin.withToken({ interactionId: id, responderId });
      const { body } = await upload(voter, id);
      await voter.answer(id, { photo: body });
      return body;
    };
    const first = await vote('ada');
    expect((await admin.get(`/v1/files/${first.file_id}`)).body.isAnswered).toBe(true);
    const second = await vote('bob');
    expect((await admin.get(`/v1/interactions/${id}`)).body).toMatchObject({
      status: 'answered',
      votes: [{ values: { photo: first } }, { values: { photo: second } }],
    });
  });

  test('[UP5] a question that changed meanwhile checks the file again', async () => {
    const { id } = await ask();
    const { body: ref } = await upload(admin, id);
    await admin.patch(`/v1/interactions/${id}`, { fields: [{ ...photo, accept: ['image/gif'] }] });
    expect(await admin.answer(id, { photo: ref })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/values/photo/mime', code: 'accept' }] },
    });
  });
});
