/** Blobs as files next to the database. A file gets its name when all of it is on disk. */
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HoldpointError } from '@holdpoint/protocol';
import { storageError } from '../stores/storage-error.ts';
import { atMost, type BlobStore, endsEarly } from './blob-store.ts';

const pieceBytes = 64 * 1024;

/** One process uses the folder at a time, so a process that has ended left the unfinished files. */
export async function openFileBlobs({ folder }: { folder: string }): Promise<BlobStore> {
  const unfinished = join(folder, 'unfinished');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  // The last characters of an id are random, the first ones are a time.
  const placeOf = (id: string) => join(folder, id.slice(-2), id);

  return {
    async write(id, content, { maxBytes }) {
      const path = join(unfinished, id);
      const place = placeOf(id);
      try {
        const file = await onDisk(open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600));
        try {
          for await (const piece of atMost(content, maxBytes)) await onDisk(writeAll(file, piece));
          await onDisk(file.sync());
        } finally {
          await file.close();
        }
        await onDisk(giveName(path, place));
      } catch (error) {
        await Promise.all([path, place].map((each) => rm(each, { force: true }).catch(() => {})));
        throw error;
      }
    },

    async *read(id, { from, to }) {
      const file = await onDisk(open(placeOf(id), 'r').catch(missing));
      try {
        for (let at = from; at < to; ) {
          const wanted = Math.min(pieceBytes, to - at);
          const { bytesRead, buffer } = await onDisk(file.read(Buffer.allocUnsafe(wanted), 0, wanted, at));
          if (bytesRead === 0) endsEarly();
          at += bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },

    async remove(id) {
      await onDisk(Promise.all([join(unfinished, id), placeOf(id)].map((path) => rm(path, { force: true }))));
    },

    async close() {},
  };
}

async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.byteLength; ) at += (await file.write(piece, at)).bytesWritten;
}

/** The name of a file is on disk when its folder is synced, and the name of the folder when its own folder is synced. */
async function giveName(path: string, place: string): Promise<void> {
  const folder = dirname(place);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await rename(path, place);
  await Promise.all([folder, dirname(folder)].map(syncFolder));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function missing(error: { code?: string }): never {
  if (error.code !== 'ENOENT') throw error;
  throw new HoldpointError({ code: 'file-not-found', detail: 'The file no longer exists.' }, { cause: error });
}

/** Reports an error of the disk as one that may end later. */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof HoldpointError) throw error;
    throw storageError('a file could not be read or written', error);
  }
}
