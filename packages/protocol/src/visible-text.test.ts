import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hiddenCharacter } from './hidden-character.ts';
import { isBlankText, visibleParts, visibleText } from './visible-text.ts';

describe('visibleText', () => {
  test.each([
    ['English', 'Deploy 4.2?\n\tYes\r\nNo'],
    ['Arabic', 'هل توافق على الدفع؟ 250 ر.س'],
    ['Hebrew', 'לאשר את התשלום? כן'],
    ['Persian with its joiners', 'می‌خواهم کتاب‌ها را بخرم'],
    ['an Arabic abbreviation', '۱۴۰۵ ه‍'],
    ['Hindi', 'क्‍ष और क्‌ष'],
    ['Sinhala', 'ශ්‍රී ලංකා'],
    ['Khmer with places to break', 'ខ្ញុំ​ចង់​ទៅ'],
    ['Mongolian', 'ᠮᠣᠩᠭᠣᠯ ᠪᠠᠢᠨ᠎ᠠ'],
    ['a Japanese name', '葛\u{e0100}飾区'],
    ['a heart', '❤️ ☎︎ 1️⃣ #️⃣'],
    ['people', '👩‍👩‍👧‍👦 👩🏽‍💻 🏳️‍🌈 🏴‍☠️ 🧑🏿‍❤️‍💋‍🧑🏻'],
    ['flags', '🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['letters with marks of their own', 'e\u0301 ก็ ไม่'],
    ['spaces', 'a\u00a0b\u2009c\u3000d'],
  ])('[X33] ordinary text is shown as it is: %s', (_name, text) => {
    expect(visibleParts(text)).toEqual([text]);
  });

  test.each([
    ['an override', 'invoice \u202egnp.exe', 'invoice [U+202E]gnp.exe'],
    ['embeddings and isolates', '\u202aa\u202b\u202cb\u2066c\u2069', '[U+202A]a[U+202B U+202C]b[U+2066]c[U+2069]'],
    ['marks of direction', 'a\u200eb\u200fc\u061cd', 'a[U+200E]b[U+200F]c[U+061C]d'],
    ['zero width', 'pay\u200bpal\ufeff.com\u2060', 'pay[U+200B]pal[U+FEFF].com[U+2060]'],
    ['a soft hyphen', 'pay\u00adpal', 'pay[U+00AD]pal'],
    ['joiners between other letters', 'pay\u200cpal\u200d', 'pay[U+200C]pal[U+200D]'],
    ['a second joiner', 'می\u200c\u200cخ', 'می[U+200C U+200C]خ'],
    ['fillers', 'a\u3164b\u115f\u1160c\uffa0d\u2800', 'a[U+3164]b[U+115F U+1160]c[U+FFA0]d[U+2800]'],
    [
      'controls',
      'a\u0000b\u0007c\u001b[31m\u007f\u009bd\re',
      'a[U+0000]b[U+0007]c[U+001B][31m[U+007F U+009B]d[U+000D]e',
    ],
    ['lines of another kind', 'a\u2028b\u2029c', 'a[U+2028]b[U+2029]c'],
    ['half of a pair', 'a\ud83d', 'a[U+D83D]'],
    ['variation selectors behind letters', 'a\ufe0fb\u{e0101}', 'a[U+FE0F]b[U+E0101]'],
    ['data behind an emoji', '😀\ufe0f\ufe01\u{e0110}', '😀\ufe0f[U+FE01 U+E0110]'],
    ['a joiner without a second emoji', '😀\u200d!', '😀[U+200D]!'],
    ['tags', `ok\u{e0069}\u{e0067}\u{e006e}\u{e006f}\u{e0072}\u{e0065}`, 'ok[U+E0069 U+E0067 U+E006E +3]'],
    ['tags behind a flag that is none', '🏴\u{e0067}\u{e007f}', '🏴[U+E0067 U+E007F]'],
  ])('[X33] hidden characters are named: %s', (_name, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });

  test('[X33] no part that is shown turns, joins or hides anything but as its script does', () => {
    const odd = fc.constantFrom(
      ...'\u202e\u2066\u2069\u200b\u200e\u061c\u3164\u2800\u0000\u001b\ufe0f\u00ad',
      '\u{e0041}',
      'a',
      'ب',
      '😀',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, fc.string({ unit: 'binary', maxLength: 3 }))), (all) => {
        const text = all.join('');
        const shown = visibleParts(text).filter((_, index) => index % 2 === 0);
        // Only hidden characters that belong to an emoji, an ideograph or a joined script are left.
        for (const part of shown)
          for (const one of part)
            if (hiddenCharacter.test(one) && one !== '\r')
              expect(one).toMatch(/[\u200b-\u200d]|[\u180b-\u180f]|[\ufe0e\ufe0f]|[\u{e0100}-\u{e01ef}]/u);
      }),
      { numRuns: 2_000 },
    );
  });

  test('[X33] a long text is read once: 100,000 hidden characters are one mark', () => {
    expect(visibleParts('\u200b'.repeat(100_000))).toEqual(['', 'U+200B U+200B U+200B +99997', '']);
  });
});

test('[X32] a text is blank when nothing of it can be seen', () => {
  for (const blank of [
    '',
    ' \n\t',
    '\u200b',
    '\u3164\u115f',
    '\u2800 \u202e',
    '\u{e0041}',
    '\ufe0f',
    '\u00a0\u3000',
    '\u0000',
  ])
    expect(isBlankText(blank), JSON.stringify(blank)).toBe(true);
  for (const seen of ['a', '\u200ba', '❤️', 'ی', '.', '\u0301'])
    expect(isBlankText(seen), JSON.stringify(seen)).toBe(false);
});
