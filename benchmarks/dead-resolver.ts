/**
 * Starts a name server that stops answering for some names. It serves one server under test: a socket on loopback, and
 * a resolv.conf that only this server sees. Needs the rights to bind port 53 and to mount.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place } from './bench-store.ts';
import { type Spawned, serveArguments, spawnReady } from './spawn-server.ts';

/** Last byte of the next name server's address. Each server under test has its own name server. */
let nextAddress = 53;

/** Runs a command with another resolv.conf, in its own mount namespace. */
const behindResolver = (resolver: string, command: string[]): string[] => [
  ...['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', resolver],
  ...command,
];

export interface SpawnedWithResolver extends Spawned {
  /** Stops answering lookups of names that contain this text. All other names resolve to loopback. */
  endAnswers(of: string): void;
}

export async function spawnWithResolver(place: Place): Promise<SpawnedWithResolver> {
  const address = `127.9.9.${nextAddress++}`;
  const socket = createSocket('udp4').bind(53, address);
  await once(socket, 'listening');
  let dead: string | undefined;
  socket.on('message', (query, { port, address: from }) => {
    if (dead === undefined || !query.includes(dead)) socket.send(loopbackAnswer(query), port, from);
  });
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-resolver-'));
  const close = () => {
    socket.close();
    rmSync(folder, { recursive: true });
  };
  try {
    const resolver = join(folder, 'resolv.conf');
    writeFileSync(resolver, `nameserver ${address}\n`);
    const server = await spawnReady(behindResolver(resolver, [process.execPath, ...serveArguments(place)]));
    const endAnswers = (of: string) => {
      dead = of;
    };
    return { ...server, endAnswers, stop: () => server.stop().finally(close) };
  } catch (error) {
    close();
    throw error;
  }
}

const headBytes = 12;
const typeA = 1;

/** Answers an IPv4 lookup with 127.0.0.1, and every other lookup with no address (RFC 1035). */
function loopbackAnswer(query: Buffer): Buffer {
  const nameEnd = query.indexOf(0, headBytes) + 1;
  const question = query.subarray(headBytes, nameEnd + 4);
  const isForA = query.readUInt16BE(nameEnd) === typeA;
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(query.readUInt16BE(0), 0);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(isForA ? 1 : 0, 6);
  // A pointer to the name in the question, type A, class IN, a TTL of 0, and four bytes of address.
  const record = Buffer.from([0xc0, headBytes, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat([head, question, ...(isForA ? [record] : [])]);
}
