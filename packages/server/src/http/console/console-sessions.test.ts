import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { consoleSessions } from './console-sessions.ts';

const never = () => Promise.reject(new Error('unforeseen'));

test('[CO2][CO7] a session of this machine is worth nothing to another user who has its cookie', async () => {
  const strangers = new Set<unknown>();
  const sessions = await consoleSessions({
    store: { getOrCreateMeta: async ({ value }) => value, getApiKey: never },
    authenticate: never,
    clock: { now: () => 0 },
    isForThisMachine: true,
    isOfAnotherUser: async (socket) => strangers.has(socket),
  });
  let cookie = '';
  const reply = {
    header(_name: string, value: string) {
      cookie = value.split(';', 1)[0] ?? '';
    },
  };
  const requestOn = (socket: object) =>
    ({
      socket,
      raw: { httpVersion: '1.1' },
      headers: { host: '127.0.0.1:7400', 'x-holdpoint-console': '1', cookie },
    }) as unknown as FastifyRequest;
  const newSocket = () => ({ remoteAddress: '127.0.0.1', localPort: 7_400 });

  await sessions.open(requestOn(newSocket()), reply as unknown as FastifyReply, undefined);
  const [own, foreign] = [newSocket(), newSocket()];
  strangers.add(foreign);
  expect(await sessions.callerOf(requestOn(own))).toMatchObject({ role: 'admin', keyId: 'console' });
  await expect(sessions.callerOf(requestOn(foreign))).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await sessions.describe(requestOn(foreign))).toEqual({ signedIn: false, mayEnter: false });
});
