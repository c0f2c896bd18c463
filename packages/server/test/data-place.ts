/** Where a server under test keeps its data, a folder or a database, and what a test may do to it from outside. */
import type { Config } from '../src/config.ts';

export interface DataPlace extends AsyncDisposable {
  /** How a server in this process is told of it. */
  config: Pick<Config, 'dataFolder' | 'databaseUrl'>;
  /** How the command is told of it. */
  flags: string[];
  /** Some server has begun to open it. */
  isOpened(): Promise<boolean>;
  /** Every server that opened it has closed it, instead of just being gone. */
  isClosedInOrder(): Promise<boolean>;
  /** Everything that is stored there, as it is stored. */
  contents(): Promise<string>;
  /** How much is stored of files that were uploaded, finished or not. */
  blobBytes(): Promise<number>;
  /** No record of it is damaged. */
  isIntact(): Promise<boolean>;
  watch(): Promise<Watcher>;
}

export interface Watcher extends AsyncDisposable {
  /** Another number after every commit that changes something, and the same as long as nothing is changed. */
  changes(): Promise<number>;
}
