/** Code for pages calls no API that a page over plain http lacks, unless its file handles the missing API. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** APIs that are undefined outside of secure contexts. */
const secureOnly =
  /randomUUID|\bsubtle\b|navigator\s*\??\.\s*(?:clipboard|locks|serviceWorker|share|wakeLock|storage|credentials|mediaDevices)|\bNotification\b|\bcaches\s*\.|CookieStore|cookieStore|showOpenFilePicker|showSaveFilePicker/;

/** Each of these files checks that the API is there before it calls it. */
const guarded = [
  'packages/client/src/check-signature.ts',
  'packages/client/src/verify.ts',
  'packages/client/src/web-crypto.ts',
  'packages/console/src/parts/code.tsx',
  'packages/console/src/passkeys.ts',
  'packages/widget/src/request/passkey.ts',
];

/** A comment may name an API that the code avoids. */
const comment = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const codeOf = (file: string) => readFileSync(file, 'utf8').replaceAll(comment, '');

test('[WI62] [CO60] code for pages uses no API of secure contexts directly', () => {
  const files = globSync('packages/{widget,console,client,protocol}/src/**/*.{ts,tsx}', {
    exclude: ['**/*.test.ts'],
  });
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => secureOnly.test(codeOf(file))).sort()).toEqual(guarded);
});
