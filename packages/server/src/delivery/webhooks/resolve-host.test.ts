import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostResolver } from './resolve-host.ts';

const types: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

/** A DNS server on this machine. A name without a record does not exist; the name `silent` gets no answer. */
async function startDns(records: Readonly<Record<string, readonly number[]>>) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const type = types[query.readUInt16BE(at + 1)] ?? 'other';
    asked.push(`${name} ${type}`);
    if (name === 'silent') return;
    const data = records[`${name} ${type}`];
    const isKnown = Object.keys(records).some((key) => key.startsWith(`${name} `));
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(isKnown ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(data ? 1 : 0, 6);
    head.writeUInt32BE(0, 8);
    const answer = data ? [0xc0, 12, 0, query[at + 2] ?? 0, 0, 1, 0, 0, 0, 60, 0, data.length, ...data] : [];
    socket.send(Buffer.concat([head, query.subarray(12, at + 5), Buffer.from(answer)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return { asked, servers: [`127.0.0.1:${socket.address().port}`] };
}

function filesOf(hosts: string, resolver: string) {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const hostsFile = join(folder, 'hosts');
  const resolverFile = join(folder, 'resolv.conf');
  writeFileSync(hostsFile, hosts);
  writeFileSync(resolverFile, resolver);
  return { hostsFile, resolverFile };
}

test('[WH31] a name of the hosts file is found there without a query', async () => {
  const { asked, servers } = await startDns({});
  const files = filesOf(
    '127.0.0.1 localhost # home\n10.0.0.7\tHooks.Example other\n#10.0.0.8 gone\nfd00::7 other\n',
    '',
  );
  const resolve = hostResolver({ ...files, servers });
  expect(await resolve('localhost')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await resolve('hooks.example')).toEqual([{ address: '10.0.0.7', family: 4 }]);
  expect(await resolve('other.')).toEqual([
    { address: '10.0.0.7', family: 4 },
    { address: 'fd00::7', family: 6 },
  ]);
  expect(await resolve('any.localhost')).toContainEqual({ address: '127.0.0.1', family: 4 });
  expect(asked).toEqual([]);
});

test('[WH31] DNS is asked for the addresses of both families', async () => {
  const v6 = [0x26, 0x06, 0x28, 0, 2, 0x20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1];
  const { servers } = await startDns({
    'both.example A': [93, 184, 216, 34],
    'both.example AAAA': v6,
    'four.example A': [8, 8, 8, 8],
    'mail.example MX': [],
  });
  const resolve = hostResolver({ ...filesOf('', ''), servers });
  expect(await resolve('both.example')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:2800:220:1::1', family: 6 },
  ]);
  expect(await resolve('four.example')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  await expect(resolve('mail.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(resolve('nowhere.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('[WH31] a name that DNS does not know is asked for in the search domains, unless it ends with a dot', async () => {
  const { asked, servers } = await startDns({ 'hooks.team.svc.cluster.local A': [10, 1, 2, 3] });
  const files = filesOf('', 'nameserver 127.0.0.1\nsearch svc.cluster.local cluster.local\noptions ndots:5\n');
  const resolve = hostResolver({ ...files, servers });
  expect(await resolve('hooks.team')).toEqual([{ address: '10.1.2.3', family: 4 }]);
  await expect(resolve('hooks.team.')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(asked.filter((question) => question.endsWith(' A'))).toEqual([
    'hooks.team A',
    'hooks.team.svc.cluster.local A',
    'hooks.team A',
  ]);
});

test('[WH31] a name that DNS does not answer fails by itself, while other names are found', async () => {
  const { servers } = await startDns({ 'alive.example A': [8, 8, 8, 8] });
  const resolve = hostResolver({ ...filesOf('', ''), servers });
  const silent = Array.from({ length: 20 }, () => resolve('silent').catch((error: { code: string }) => error.code));
  let isOver = false;
  void Promise.race(silent).then(() => {
    isOver = true;
  });
  expect(await resolve('alive.example')).toEqual([{ address: '8.8.8.8', family: 4 }]);
  expect(isOver).toBe(false);
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['EAI_AGAIN']));
}, 30_000);
