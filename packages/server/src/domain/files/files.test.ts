import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { imageSize, textKind } from './first-bytes.ts';
import { safeName } from './safe-name.ts';
import { withStoredFiles } from './upload-fields.ts';

describe('names', () => {
  test('[UP4] the safe name of any name is short, has no path and no invisible characters, and is safe itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (sent) => {
        const name = safeName(sent);
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]|^\.|[. ]$/u);
        expect(name.length).toBeGreaterThan(0);
        expect(Buffer.byteLength(name)).toBeLessThanOrEqual(220);
        expect(safeName(name)).toBe(name);
      }),
    );
  });

  test.each([
    ['CON', '_CON'],
    ['lpt1.tar.gz', '_lpt1.tar.gz'],
    ['.htaccess', 'htaccess'],
    [`a${' '.repeat(200_000)}b.png`, expect.stringMatching(/^a\.png$/)],
    [`${'long '.repeat(100)}.png`, expect.stringMatching(/^long .*\.png$/)],
  ])('[UP4] %s', (sent, kept) => {
    expect(safeName(sent)).toEqual(kept);
  });
});

describe('the first bytes', () => {
  test('[UP6] the size of a file that ends early, or is no image, is unknown, and nothing throws', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'text/plain'),
        fc.uint8Array({ maxLength: 64 }),
        (mime, head) => {
          const size = imageSize(mime, head);
          expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
        },
      ),
    );
  });

  test.each([
    ['  \n<!-- x --><HTML>', 'html'],
    ['\ufeff<!doctype html>', 'html'],
    ['<!doctype  html>', 'html'],
    ['<!doctype \n\t svg>', 'svg'],
    ['<!doctype note><!doctype  html>', 'html'],
    ['<script>', 'html'],
    ['<svg>', 'svg'],
    ['<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x"><svg/>', 'svg'],
    ['<?xml version="1.0"?><a/>', 'xml'],
    ['hello <html>', 'plain'],
    ['', 'plain'],
    ['a\u0000b', undefined],
  ])('[UP3] %j is %s', (text, kind) => {
    expect(textKind(Buffer.from(text))).toBe(kind);
  });

  test('[UP3] every head is judged in time that grows with its length', () => {
    const starts = ['', '<', '<a', '<?', '<?xml', '<!--', '<!doctype', '<!doctype ', '<!doctype a', '<!doctype html'];
    const units = [
      ' ',
      '\n',
      'a',
      'a:',
      '-',
      '--',
      '<',
      '<?>',
      '<!---->',
      '<!doctype a>',
      '<!doctype ',
      '\ufeff',
      '\n<!--',
    ];
    for (const start of starts)
      for (const unit of units) {
        const text = start + unit.repeat(Math.floor((128 * 1024 - start.length) / unit.length));
        expect(textKind(Buffer.from(text)), start + unit).toBeOneOf(['html', 'svg', 'xml', 'plain']);
      }
  });

  test('[UP3] a page in UTF-16 is HTML, too', () => {
    expect(textKind(Buffer.from('\ufeff<html>', 'utf16le'))).toBe('html');
  });
});

test('[UP5] values that name no file stay the same', () => {
  const asked = {
    id: 'i',
    fields: [
      { type: 'file_upload', name: 'photo' },
      { type: 'text', name: 'note' },
    ],
  };
  for (const values of [{}, { photo: 'x' }, { photo: null }, { photo: { file_id: 7 } }, { note: { file_id: 'f' } }])
    expect(withStoredFiles(asked as never, values, [])).toEqual({ values, problems: [] });
});
