import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { serveHelp, startFlags, startFlagTables } from './start-flags.ts';

const page = readFileSync(new URL('../../../docs/guides/start-flags.md', import.meta.url), 'utf8');

test('docs/guides/start-flags.md contains the current tables', () => {
  expect(page.replaceAll(/ *\| */g, ' | ')).toContain(startFlagTables.replaceAll(/ *\| */g, ' | '));
});

test('--help lists every flag with its default', () => {
  for (const [name, flag] of Object.entries(startFlags)) {
    const line = serveHelp.split('\n').find((each) => each.startsWith(`  --${name} `));
    expect(line).toContain(flag.help);
    if ('start' in flag && flag.start !== '0') expect(line).toContain(`(${flag.start})`);
  }
});
