/** Decides whether a request comes from this machine, from another of its users, and from our own pages. */
import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { endianness } from 'node:os';
import type { FastifyRequest } from 'fastify';

/** Headers that reverse proxies and tunnels add. */
const signsOfAProxy = new RegExp(
  [
    '^(forwarded|via|cdn-loop|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fly-client-ip',
    '(x-forwarded|x-original|x-arr|x-envoy|cf|tailscale|ngrok)-.*)$',
  ].join('|'),
);

/**
 * A local connection is not enough. A foreign page whose name resolves to this machine (DNS rebinding) sends its own
 * Host, and a proxy on this machine forwards requests from elsewhere.
 */
export function isLocal(request: FastifyRequest): boolean {
  const { headers, raw, socket } = request;
  return (
    isLoopback(socket.remoteAddress) &&
    raw.httpVersion === '1.1' &&
    isOwnHost(headers.host, socket.localPort) &&
    !Object.keys(headers).some((name) => signsOfAProxy.test(name)) &&
    isOfOwnPage(request)
  );
}

/** Names that need no name server, with the port of the server. */
function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  const named = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/i.exec(host ?? '');
  return named !== null && port !== undefined && Number(named[1] ?? 80) === port;
}

const isLoopback = (address: string | undefined): boolean =>
  /^(?:::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i.test(address ?? '');

/** True if only this machine can reach a server that listens on this host. */
export const isLoopbackHost = (host: string): boolean => host === 'localhost' || isLoopback(host);

/**
 * Browsers send the origin of the page, and most also send Sec-Fetch-Site. A proxy may have replaced the Host. Then
 * only `publicUrl` identifies our pages.
 */
export function isOfOwnPage({ headers }: Pick<FastifyRequest, 'headers'>, publicUrl?: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  if (origin === undefined || origin === publicUrl) return true;
  return host !== undefined && [`http://${host}`, `https://${host}`].includes(origin);
}

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

/** A connection keeps its user, so the table is read once per connection. */
const known = new WeakMap<Ends, Promise<boolean>>();

/**
 * On a machine with many users, only the user of the server may sign in without a key. This also excludes a proxy that
 * runs as its own user and forwards requests from elsewhere. Root is always allowed.
 */
export function isOfAnotherUser(socket: Ends): Promise<boolean> {
  const found = known.get(socket) ?? lookUp(socket, readTables);
  known.set(socket, found);
  return found;
}

/**
 * Returns false on a system without the table. If the table lacks the connection, reads it once more before rejecting.
 */
export async function lookUp(
  { remoteAddress, remotePort, localAddress, localPort }: Ends,
  read: () => Promise<string | undefined>,
  own = process.getuid?.(),
): Promise<boolean> {
  if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined)
    return true;
  const line = { from: `${remoteAddress} ${remotePort}`, to: `${localAddress} ${localPort}` };
  for (let tries = 0; tries < 2; tries++) {
    const table = own === undefined ? undefined : await read();
    if (table === undefined) return false;
    const users = usersOf(table, line);
    // Lines that appear and disappear during the read may hide another line.
    if (users.length > 0) return users.some((user) => user !== own && user !== 0);
  }
  return true;
}

/** Returns undefined if there is no table. */
async function readTables(): Promise<string | undefined> {
  const read = (path: string) => readFile(path, 'latin1').catch(() => undefined);
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(read));
  const found = tables.filter((table) => table !== undefined);
  return found.length > 0 ? found.join('\n') : undefined;
}

/**
 * A line of the table: number, local address:port, remote address:port, state, queues, timer, retries, user, timeout,
 * inode. Two lines may have the same ends. Connections without a process (inode 0, such as TIME_WAIT) are listed as
 * root's.
 */
export function usersOf(table: string, { from, to }: { from: string; to: string }): number[] {
  const [own, other] = [formsOf(from), formsOf(to)];
  return table.split('\n').flatMap((line) => {
    const [, local = '', remote = '', state, , , , user, , inode] = line.trim().split(/ +/);
    const isOfIt = own.includes(local) && other.includes(remote);
    return isOfIt && state !== timeWait && inode !== undefined && inode !== '0' ? [Number(user)] : [];
  });
}

const timeWait = '06';

/**
 * The ways in which the table may write `address port`: 32-bit words in the byte order of the machine, IPv4 also as
 * IPv6.
 */
function formsOf(end: string): string[] {
  const [address = '', port] = end.split(' ');
  const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const plain = address.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, '');
  if (!isIPv4(plain)) return [wordsOf(bytesOfIPv6(plain)) + suffix];
  const bytes = plain.split('.').map(Number);
  const mapped = [...Array<number>(10).fill(0), 0xff, 0xff, ...bytes];
  return [wordsOf(bytes) + suffix, wordsOf(mapped) + suffix];
}

function bytesOfIPv6(address: string): number[] {
  const [head = [], tail = []] = address
    .replace(/%.*$/, '')
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail];
  return groups.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 0xff]);
}

function wordsOf(bytes: readonly number[]): string {
  const words = Array.from({ length: bytes.length / 4 }, (_, index) => bytes.slice(index * 4, index * 4 + 4));
  const ordered = words.flatMap((word) => (endianness() === 'LE' ? word.toReversed() : word));
  return Buffer.from(ordered).toString('hex').toUpperCase();
}
