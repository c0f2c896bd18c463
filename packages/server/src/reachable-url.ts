/** Where this machine reaches a server that listens there: an address for all of them is none to call. */
const anyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const isAnyAddress = (address: string): boolean => Object.hasOwn(anyAddress, address);

export const reachableUrl = (host: string, port: number | string): string => urlOf(anyAddress[host] ?? host, port);

export const urlOf = (host: string, port: number | string): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
