/** What the operating system says when a start fails, in words for the person who can mend it. */
import { type Config, ConfigError } from './config.ts';

export function dataFolderMistake(folder: string, error: unknown): ConfigError {
  const why = error instanceof Error ? error.message : String(error);
  return new ConfigError(`the data folder ${folder} cannot be used: ${why}`, { cause: error });
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
