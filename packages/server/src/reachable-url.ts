/** Where this machine reaches a server that listens there: an address for all of them is none to call. */
const anyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export function reachableUrl(host: string, port: number | string): string {
  const address = anyAddress[host] ?? host;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
