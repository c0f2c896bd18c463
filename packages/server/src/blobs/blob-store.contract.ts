/** The suite every home of blobs must pass. */
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BlobStore } from './blob-store.ts';

export interface OpenedBlobs {
  blobs: BlobStore;
  /** How much is stored in all, finished or not. */
  storedBytes(): Promise<number>;
  discard(): Promise<void>;
}

const megabyte = 1024 * 1024;
const maxBytes = 100 * megabyte;

async function* pieces(bytes: Uint8Array, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += length) yield bytes.subarray(at, at + length);
}

async function gather(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of content) parts.push(part);
  return Buffer.concat(parts);
}

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export function blobContract(name: string, open: () => Promise<OpenedBlobs>): void {
  describe(`${name} keeps the contract of blobs`, () => {
    let opened: OpenedBlobs;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(() => opened.discard());

    test.each([0, 1, 262_143, 262_144, 262_145, 700_001])(
      '[UP1] %i bytes are read as they were written',
      async (size) => {
        const bytes = randomBytes(size);
        await opened.blobs.write('b1', pieces(bytes, 60_000), { maxBytes });
        expect(digest(await gather(opened.blobs.read('b1', { from: 0, to: size })))).toBe(digest(bytes));
        expect(await opened.storedBytes()).toBe(size);
      },
    );

    test('[UP8] any range is read, across every seam', async () => {
      const bytes = randomBytes(600_000);
      await opened.blobs.write('b1', pieces(bytes, 1_000_000), { maxBytes });
      for (const [from, to] of [
        [0, 1],
        [5, 5],
        [262_143, 262_145],
        [100, 524_289],
        [599_999, 600_000],
      ] as const)
        expect(digest(await gather(opened.blobs.read('b1', { from, to })))).toBe(digest(bytes.subarray(from, to)));
    });

    test.each([0, 10, 262_144, 300_000])('[UP8] a read past the end of %i bytes rejects', async (size) => {
      await opened.blobs.write('b1', pieces(randomBytes(size), 60_000), { maxBytes });
      await expect(gather(opened.blobs.read('b1', { from: 0, to: size + 1 }))).rejects.toMatchObject({
        code: 'file-not-found',
      });
    });

    test('[UP2] one byte too many ends the write, nothing is left, and no more bytes are read', async () => {
      let read = 0;
      async function* endless() {
        for (;;) {
          read += 10_000;
          yield new Uint8Array(10_000);
        }
      }
      const written = opened.blobs.write('b1', endless(), { maxBytes: megabyte });
      await expect(written).rejects.toMatchObject({ code: 'file-too-large' });
      expect(read).toBeLessThan(megabyte + 20_000);
      expect(await opened.storedBytes()).toBe(0);
      await opened.blobs.write('b2', pieces(new Uint8Array(megabyte), 10_000), { maxBytes: megabyte });
      expect(await opened.storedBytes()).toBe(megabyte);
    });

    test('[UP1] content that breaks off leaves nothing, and the write rejects with its error', async () => {
      async function* broken() {
        yield new Uint8Array(megabyte);
        throw new Error('the sender is gone');
      }
      await expect(opened.blobs.write('b1', broken(), { maxBytes })).rejects.toThrow('the sender is gone');
      expect(await opened.storedBytes()).toBe(0);
    });

    test('[UP9] a removed blob is gone, and may be removed again', async () => {
      await opened.blobs.write('b1', pieces(randomBytes(300_000), 50_000), { maxBytes });
      await opened.blobs.write('b2', pieces(randomBytes(10), 10), { maxBytes });
      await opened.blobs.remove('b1');
      await opened.blobs.remove('b1');
      expect(await opened.storedBytes()).toBe(10);
      await expect(gather(opened.blobs.read('b1', { from: 0, to: 10 }))).rejects.toMatchObject({
        code: 'file-not-found',
      });
    });

    test('[UP1] many are written at once', async () => {
      const all = Array.from({ length: 10 }, () => randomBytes(300_000));
      await Promise.all(all.map((bytes, i) => opened.blobs.write(`b${i}`, pieces(bytes, 7_000), { maxBytes })));
      for (const [i, bytes] of all.entries())
        expect(digest(await gather(opened.blobs.read(`b${i}`, { from: 0, to: 300_000 })))).toBe(digest(bytes));
    });
  });
}
