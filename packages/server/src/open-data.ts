/** Names the concrete store and the concrete place for the bytes of files: a folder, or a database that nodes share. */
import { join } from 'node:path';
import type { BlobStore } from './blobs/blob-store.ts';
import { openFileBlobs } from './blobs/file-blobs.ts';
import type { Config } from './config.ts';
import { dataMistake } from './start-mistake.ts';
import { FolderInUseError } from './stores/sqlite/lock-folder.ts';
import { openSqliteStore } from './stores/sqlite/sqlite-store.ts';
import type { Store } from './stores/store.ts';

export type DataConfig = Pick<Config, 'dataFolder' | 'databaseUrl'>;

export interface Data {
  store: Store;
  blobs: BlobStore;
  close(): Promise<void>;
}

export async function openData(config: DataConfig): Promise<Data> {
  const store = await openStore(config);
  try {
    const blobs = await openBlobs(config);
    return {
      ...{ store, blobs },
      async close() {
        await blobs.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

const sayItTakesTime = (): void =>
  void process.stderr.write('holdpoint: bringing the data up to date, this may take a minute\n');

async function openStore(config: DataConfig): Promise<Store> {
  const { databaseUrl, dataFolder } = config;
  try {
    if (databaseUrl === undefined) return await openSqliteStore({ folder: dataFolder, onOlder: sayItTakesTime });
    // Who does not use it does not wait for its driver to load.
    const { openPostgresStore } = await import('./stores/postgres/postgres-store.ts');
    return await openPostgresStore({ url: databaseUrl });
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
    throw dataMistake(config, error);
  }
}

/** Beside the records: in the folder that the store holds, or in the same database. */
async function openBlobs({ databaseUrl, dataFolder }: DataConfig): Promise<BlobStore> {
  if (databaseUrl === undefined) return openFileBlobs({ folder: join(dataFolder, 'blobs') });
  const { openPostgresBlobs } = await import('./blobs/postgres-blobs.ts');
  return openPostgresBlobs({ url: databaseUrl });
}
