import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { socketPair } from './fetch-server.ts';

test('[IP7] each end of a connection reads what the other writes, and then its end', async () => {
  const { client, server } = socketPair('192.0.2.7');
  expect(server).toHaveProperty('remoteAddress', '192.0.2.7');
  const closed = Promise.all([once(client, 'close'), once(server, 'close')]);
  client.end('a question');
  expect(await text(server)).toBe('a question');
  server.end('an answer');
  expect(await text(client)).toBe('an answer');
  await closed;
});

test('[IP7] who writes faster than the other end reads is held back', async () => {
  const { client, server } = socketPair(undefined);
  const piece = Buffer.alloc(16_384);
  let written = 0;
  const isTaken = () => {
    server.write(piece, () => written++);
    return !server.writableNeedDrain;
  };
  while (isTaken());
  await new Promise(setImmediate);
  const held = written;
  expect(held).toBeLessThan(20);
  expect(server.writableNeedDrain).toBe(true);
  client.resume();
  await once(server, 'drain');
  expect(written).toBeGreaterThan(held);
});

test('[IP7] the server sees at once that its caller is gone, though it reads nothing', async () => {
  const { client, server } = socketPair(undefined);
  client.write(Buffer.alloc(1_000_000));
  const closed = once(server, 'close');
  client.destroy();
  await closed;
});

test('[IP7] the caller reads what the server wrote before it hung up', async () => {
  const { client, server } = socketPair(undefined);
  server.write('too much');
  server.destroy();
  client.write('still sending');
  expect(await text(client)).toBe('too much');
});
