/** The address of a server: the URL to reach it, and clear errors for an address that it cannot use. */
import { type Config, ConfigError } from './config.ts';

/** A server can listen on these addresses, but a client cannot call them. */
const anyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const isAnyAddress = (address: string): boolean => Object.hasOwn(anyAddress, address);

export const reachableUrl = (host: string, port: number | string): string => urlOf(anyAddress[host] ?? host, port);

export const urlOf = (host: string, port: number | string): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

export function listenMistake({ host, port }: Config, error: unknown): unknown {
  const explain = listenFaults[String((error as NodeJS.ErrnoException).code)];
  return explain ? new ConfigError(explain(port, host), { cause: error }) : error;
}

const notHere = (_port: number, host: string) => `--host ${host} is not an address of this machine`;

const listenFaults: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `port ${port} is in use. Stop the other program, or choose another port with --port`,
  EACCES: (port) => `this user may not listen on port ${port}. Choose a port above 1023 with --port`,
  EADDRNOTAVAIL: notHere,
  ENOTFOUND: notHere,
  EAI_AGAIN: notHere,
  EINVAL: notHere,
};
