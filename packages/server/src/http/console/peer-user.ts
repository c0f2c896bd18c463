/** Which user of this machine is at the other end of a connection, where the system tells: on Linux. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/**
 * On a machine that many use, the others are not let in for being on it; nor is a proxy that runs as a user of its own and
 * calls for people elsewhere. Root is whoever it wants to be.
 */
export async function isOfAnotherUser({ remotePort, localPort }: Socket): Promise<boolean> {
  if (remotePort === undefined || localPort === undefined) return false;
  const tables = await Promise.all(['/proc/net/tcp', '/proc/net/tcp6'].map(readTable));
  return isAnotherUser(userOf(tables.join('\n'), { from: remotePort, to: localPort }), process.getuid?.());
}

/** What the system does not tell is held against nobody. */
export const isAnotherUser = (user: number | undefined, own: number | undefined): boolean =>
  user !== undefined && own !== undefined && user !== own && user !== 0;

const readTable = (path: string): Promise<string> => readFile(path, 'latin1').catch(() => '');

/** A line of the table: number, own address:port, other address:port, state, queues, timer, retries, user. */
export function userOf(table: string, { from, to }: { from: number; to: number }): number | undefined {
  const port = (number: number) => number.toString(16).toUpperCase().padStart(4, '0');
  const line = new RegExp(
    `^ *\\d+: [\\dA-F]+:${port(from)} [\\dA-F]+:${port(to)} [\\dA-F]{2} \\S+ \\S+ \\S+ +(\\d+)`,
    'm',
  ).exec(table);
  return line?.[1] === undefined ? undefined : Number(line[1]);
}
