/** What the operating system says when a start fails, in words for the person who can mend it. */
import { type Config, ConfigError } from './config.ts';

export function dataFolderMistake(folder: string, error: unknown): ConfigError {
  return new ConfigError(`the data folder ${folder} cannot be used: ${messageOf(error)}`, { cause: error });
}

/** Named without its password. */
export function databaseMistake(url: string, error: unknown): ConfigError {
  const { host, pathname } = new URL(url);
  return new ConfigError(`the database ${host}${pathname} cannot be used: ${messageOf(error)}`, { cause: error });
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
