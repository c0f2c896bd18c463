import { connect, createServer } from 'node:net';
import { endianness } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { isOfAnotherUser, lookUp, usersOf } from './local-request.ts';

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const [own, other] = [0xd431, 7_400];

/** 32-bit words in the byte order of this machine. */
const word = (hex: string) => (endianness() === 'LE' ? hex.replace(/^(..)(..)(..)(..)$/, '$4$3$2$1') : hex);
const loopback = word('7F000001');
const mapped = `${'0'.repeat(16)}${word('0000FFFF')}${loopback}`;
const loopback6 = `${'0'.repeat(24)}${word('00000001')}`;

interface Line {
  from?: string;
  to?: string;
  ports?: [number, number];
  state?: string;
  user?: number;
  inode?: number;
}

function line({ from = loopback, to = from, ports = [own, other], state = '01', user = 33, inode = 42 }: Line): string {
  const [left, right] = ports.map((port) => port.toString(16).toUpperCase().padStart(4, '0'));
  return `  13: ${from}:${left} ${to}:${right} ${state} 00000000:00000000 02:000A7214 00000000 ${String(user).padStart(5)}        0 ${inode} 2 0000000000000000 20 4 30 10 -1\n`;
}

const left = line({ from: word('7F000202'), to: loopback, state: '06', user: 0, inode: 0 });
const gone = line({ state: '06', user: 0, inode: 0 });
const orphan = line({ state: '04', user: 0, inode: 0 });
const ends = { from: `127.0.0.1 ${own}`, to: `127.0.0.1 ${other}` };
const ends6 = { from: `::1 ${own}`, to: `::1 ${other}` };
const endsMapped = { from: `::ffff:127.0.0.1 ${own}`, to: `::ffff:127.0.0.1 ${other}` };

test.each([
  ['of the process that calls', line({}), ends, [33]],
  ['not of our own end of it', line({ ports: [other, own], user: 1000 }), ends, []],
  ['not of one that was left before, by another address', left + line({}), ends, [33]],
  ['not of one that was left before, by the same', gone + orphan + line({}), ends, [33]],
  ['not of the same ports of other addresses', line({ from: word('7F000202'), to: loopback, user: 0 }), ends, []],
  ['not of the same ports to another address', line({ to: word('7F000202'), user: 0 }), ends, []],
  ['of every line', line({ user: 0 }) + line({ from: mapped, user: 34 }), ends, [0, 34]],
  ['of IPv4 by a socket of IPv6', line({ from: mapped }), ends, [33]],
  ['of IPv4 at a server of IPv6', line({}), endsMapped, [33]],
  ['of IPv6', line({ from: loopback6 }), ends6, [33]],
  ['of another port', line({ ports: [own + 1, other] }), ends, []],
])('[CO2] the user is read from the table of the system: %s', (_which, table, at, users) => {
  expect(usersOf(head + table, at)).toEqual(users);
});

const socket = { remoteAddress: '127.0.0.1', remotePort: own, localAddress: '127.0.0.1', localPort: other };

test.each([
  ['of the same user', line({ user: 1000 }), 1000, false],
  ['of root', line({ user: 0 }), 1000, false],
  ['of another', line({ user: 33 }), 1000, true],
  ['of another at a server of root', line({ user: 33 }), 0, true],
  ['of another who has left one before', left + gone + line({ user: 33 }), 1000, true],
  ['of another beside one of ours', line({ user: 1000 }) + line({ user: 33 }), 1000, true],
  ['that is gone', gone, 1000, true],
  ['that is in no line', '', 1000, true],
])('[CO2] whether a process is of another user: one %s', async (_which, table, user, isAnother) => {
  expect(await lookUp(socket, async () => head + table, user)).toBe(isAnother);
});

test('[CO2] what the system does not tell is held against nobody', async () => {
  expect(await lookUp(socket, async () => undefined, 1000)).toBe(false);
  expect(await lookUp({ ...socket, remotePort: undefined }, async () => undefined, 1000)).toBe(true);
});

test('[CO2] a line that was missed at first is found', async () => {
  const tables = [head, head + line({ user: 1000 })];
  expect(await lookUp(socket, async () => tables.shift(), 1000)).toBe(false);
});

test('[CO2] a process of this user is not of another', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  const port = await new Promise<number>((resolve) =>
    server.once('listening', () => resolve((server.address() as { port: number }).port)),
  );
  const accepted = new Promise<import('node:net').Socket>((resolve) => server.once('connection', resolve));
  const client = connect({ host: '127.0.0.1', port });
  const socket = await accepted;
  onTestFinished(() => {
    client.destroy();
    socket.destroy();
  });
  expect(await isOfAnotherUser(socket)).toBe(false);
});
