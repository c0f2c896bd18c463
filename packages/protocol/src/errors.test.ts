import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorTable, HoldpointError } from './errors.ts';

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

test('[H1] docs/errors.md lists exactly the errors of the table, with their status, retryability and title', () => {
  const rows = [...page.matchAll(/^\| \[`([a-z-]+)`\]\(#([a-z-]+)\) \| (\d+) \| (yes|no) \| (.+) \|$/gm)];
  const listed = rows.map(([, code, anchor, status, retryable, title]) => {
    expect(anchor).toBe(code);
    return [code, { status: Number(status), retryable: retryable === 'yes', title }];
  });
  expect(listed).toEqual(Object.entries(errorTable));
});

test('[H1] docs/errors.md explains every error and says what to do', () => {
  const sections = [...page.matchAll(/^## ([a-z-]+)\n\n(.+)\n\*\*What to do:\*\* (.+)$/gm)];
  expect(sections.map(([, code]) => code)).toEqual(Object.keys(errorTable));
});

test('[PA8] an error of another copy of this package is a HoldpointError, and no other error is', async () => {
  const copy = (await import(`${'./errors.ts'}?copy`)) as typeof import('./errors.ts');
  expect(copy.HoldpointError).not.toBe(HoldpointError);
  const foreign = new copy.HoldpointError({ code: 'busy', detail: 'Later.' });
  expect(foreign).toBeInstanceOf(HoldpointError);
  expect(Object.keys(foreign)).toEqual(Object.keys(new HoldpointError({ code: 'busy', detail: 'Later.' })));
  for (const other of [new Error('Later.'), { name: 'HoldpointError' }, undefined, null, 'busy'])
    expect(other instanceof HoldpointError).toBe(false);
  class Lost extends HoldpointError {}
  expect(new HoldpointError({ code: 'busy', detail: 'Later.' })).not.toBeInstanceOf(Lost);
  expect(new Lost({ code: 'busy', detail: 'Later.' })).toBeInstanceOf(HoldpointError);
});
