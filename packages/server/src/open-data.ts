import { join } from 'node:path';
import { HoldpointError } from '@holdpoint/protocol';
import type { BlobStore } from './blobs/blob-store.ts';
import { openFileBlobs } from './blobs/file-blobs.ts';
import { type Config, ConfigError } from './config.ts';
import { FolderInUseError } from './stores/sqlite/data-folder.ts';
import { openSqliteStore } from './stores/sqlite/sqlite-store.ts';
import type { Store } from './stores/store.ts';

export type DataConfig = Pick<Config, 'dataFolder' | 'databaseUrl'>;

export interface Data {
  store: Store;
  blobs: BlobStore;
  close(): Promise<void>;
}

/** Opens the store and the file storage: a folder, or a database that nodes share. */
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

async function openStore(config: DataConfig): Promise<Store> {
  const { databaseUrl, dataFolder } = config;
  try {
    const onOlder = () =>
      void process.stderr.write('holdpoint: bringing the data up to date, this may take a minute\n');
    if (databaseUrl === undefined) return await openSqliteStore({ folder: dataFolder, onOlder });
    // Loaded here, because its driver takes time to load.
    const { openPostgresStore } = await import('./stores/postgres/postgres-store.ts');
    return await openPostgresStore({ url: databaseUrl });
  } catch (error) {
    if (error instanceof FolderInUseError) throw error;
    throw dataMistake(config, error);
  }
}

/** Opens the file storage beside the records: in the data folder, or in the same database. */
async function openBlobs({ databaseUrl, dataFolder }: DataConfig): Promise<BlobStore> {
  if (databaseUrl === undefined) return openFileBlobs({ folder: join(dataFolder, 'blobs') });
  const { openPostgresBlobs } = await import('./blobs/postgres-blobs.ts');
  return openPostgresBlobs({ url: databaseUrl });
}

const dataMistake = (config: DataConfig, error: unknown): ConfigError =>
  new ConfigError(`${placeOf(config)} cannot be used: ${messageOf(error)}`, { cause: error });

/** Names the place in the error of a start that lost its database after opening it. Other errors stay as they are. */
export const lostData = (config: DataConfig, error: unknown): unknown =>
  error instanceof HoldpointError && error.code === 'storage-unavailable' ? dataMistake(config, error) : error;

/** Names the database without its password. */
function placeOf({ dataFolder, databaseUrl }: DataConfig): string {
  if (databaseUrl === undefined) return `the data folder ${dataFolder}`;
  const { host, pathname } = new URL(databaseUrl);
  return `the database ${host}${pathname}`;
}

/** An error about several addresses has no message of its own, so this takes that of the first address. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error && error.message ? error.message : String(error);
}
