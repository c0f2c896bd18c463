import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { blobContract } from '../../src/blobs/blob-store.contract.ts';
import { openFileBlobs } from '../../src/blobs/file-blobs.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'holdpoint-blobs-'));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

blobContract('a folder', async () => {
  const folder = newFolder();
  return {
    blobs: await openFileBlobs({ folder }),
    storedBytes: async () => filesIn(folder).reduce((sum, path) => sum + statSync(path).size, 0),
    discard: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

test('[UP9] unfinished files of a process that ended are removed when the next one opens the folder', async () => {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'unfinished'));
  writeFileSync(join(folder, 'unfinished', 'b1'), 'half of');
  await openFileBlobs({ folder });
  expect(filesIn(folder)).toEqual([]);
});

test('[UP1] a file gets its name once it is complete', async () => {
  const folder = newFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const blobs = await openFileBlobs({ folder });
  async function* content() {
    yield new Uint8Array(10);
    expect(filesIn(folder)).toEqual([join(folder, 'unfinished', 'b1')]);
    yield new Uint8Array(10);
  }
  await blobs.write('b1', content(), { maxBytes: 100 });
  expect(filesIn(folder)).toEqual([join(folder, 'b1', 'b1')]);
});
