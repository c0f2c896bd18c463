/** The data of a server under test, a folder or a database, as a test sees it from outside. */
import type { Config } from '../src/config.ts';

export interface DataPlace extends AsyncDisposable {
  /** The configuration of a server in this process. */
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>;
  /** The flags of the command. */
  flags: string[];
  /** Reports whether a server has begun to open it. */
  isOpened(): Promise<boolean>;
  /** Reports whether every server that opened it has closed it. A killed server has not. */
  isClosedInOrder(): Promise<boolean>;
  /** Returns all stored data. */
  contents(): Promise<string>;
  /** Returns the stored bytes of uploads, finished or not. */
  blobBytes(): Promise<number>;
  /** Reports whether no record is damaged. */
  isIntact(): Promise<boolean>;
  watch(): Promise<Watcher>;
}

export interface Watcher extends AsyncDisposable {
  /** Returns another number after every commit that changes something, and otherwise the same. */
  changes(): Promise<number>;
}
