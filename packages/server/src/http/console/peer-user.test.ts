import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isAnotherUser, isOfAnotherUser, userOf } from './peer-user.ts';

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1CE8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41 1 0000000000000000 100 0 0 10 0
  12: 0100007F:1CE8 0100007F:D431 01 00000000:00000000 02:000A7214 00000000  1000        0 43 2 0000000000000000 20 4 30 10 -1
  13: 0100007F:D431 0100007F:1CE8 01 00000000:00000000 02:000A7214 00000000    33        0 42 2 0000000000000000 20 4 30 10 -1
   1: 0000000000000000FFFF00000100007F:D432 0000000000000000FFFF00000100007F:1CE8 01 00000000:00000000 02:00000C62 00000000  1001        0 44 2 0000000000000000 20 4 30 10 -1`;

test.each([
  [0xd431, 33],
  [0xd432, 1001],
  [0xd433, undefined],
])('[CO2] whose end of a connection is read from the table of the system: %d', (from, user) => {
  expect(userOf(table, { from, to: 7_400 })).toBe(user);
});

test.each([
  [1000, 1000, false],
  [0, 1000, false],
  [33, 1000, true],
  [33, 0, true],
  [undefined, 1000, false],
  [33, undefined, false],
])('[CO2] a process of user %s at a server of user %s is of another: %s', (user, own, isAnother) => {
  expect(isAnotherUser(user, own)).toBe(isAnother);
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
