/** What the operating system says when a start fails, in words for the person who can mend it. */
import { HoldpointError } from '@holdpoint/protocol';
import { type Config, ConfigError } from './config.ts';

type DataConfig = Pick<Config, 'dataFolder' | 'databaseUrl'>;

export const dataMistake = (config: DataConfig, error: unknown): ConfigError =>
  new ConfigError(`${placeOf(config)} cannot be used: ${messageOf(error)}`, { cause: error });

/** Converts the error of a start that lost its database after it had opened it, and no other error. */
export const lostData = (config: DataConfig, error: unknown): unknown =>
  error instanceof HoldpointError && error.code === 'storage-unavailable' ? dataMistake(config, error) : error;

/** A database is named without its password. */
function placeOf({ dataFolder, databaseUrl }: DataConfig): string {
  if (databaseUrl === undefined) return `the data folder ${dataFolder}`;
  const { host, pathname } = new URL(databaseUrl);
  return `the database ${host}${pathname}`;
}

export function listenMistake({ host, port }: Config, error: unknown): unknown {
  const explain = listenFaults[String((error as NodeJS.ErrnoException).code)];
  return explain ? new ConfigError(explain(port, host), { cause: error }) : error;
}

const notHere = (_port: number, host: string) => `--host ${host} is not an address of this machine`;

const listenFaults: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `port ${port} is in use`,
  EACCES: (port) => `this user may not listen on port ${port}`,
  EADDRNOTAVAIL: notHere,
  ENOTFOUND: notHere,
  EAI_AGAIN: notHere,
  EINVAL: notHere,
};

/** What an error says. One of several addresses that all refused has its reasons inside, and no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error && error.message ? error.message : String(error);
}
