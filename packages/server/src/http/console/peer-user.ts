/** Which user of this machine is at the other end of a connection, where the system tells: on Linux. */
import { readFile } from 'node:fs/promises';
import { isIPv4, type Socket } from 'node:net';
import { endianness } from 'node:os';

type Ends = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

/** An end of a connection stays whose it is, so the table is read once for each. */
const known = new WeakMap<Ends, Promise<boolean>>();

/**
 * On a machine that many use, the others are not let in for being on it; nor is a proxy that runs as a user of its own and
 * calls for people elsewhere. Root is whoever it wants to be.
 */
export function isOfAnotherUser(socket: Ends): Promise<boolean> {
  const found = known.get(socket) ?? lookUp(socket, readTables);
  known.set(socket, found);
  return found;
}

/** A system that tells nothing holds nothing against anybody. One that does is read again before it is believed to know nobody. */
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
    // Lines that come and go while it is read may hide another.
    if (users.length > 0) return users.some((user) => user !== own && user !== 0);
  }
  return true;
}

/** undefined: there is none. */
async function readTables(): Promise<string | undefined> {
  const read = (path: string) => readFile(path, 'latin1').catch(() => undefined);
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(read));
  const found = tables.filter((table) => table !== undefined);
  return found.length > 0 ? found.join('\n') : undefined;
}

/**
 * A line of the table: number, own address:port, other address:port, state, queues, timer, retries, user, timeout, inode.
 * The same ends may stand there twice, and those that no process has any more (inode 0, as in TIME_WAIT) are told to be root's.
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

/** How the table may write `address port`: words of 32 bits as the machine keeps them; IPv4 also as a part of IPv6. */
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
