/**
 * `node benchmarks/fsync-proof.ts`, after a build: watches the system calls of the server and checks that no create is
 * acknowledged before the write-ahead log that holds it was synced.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection.ts';
import { create, createThread } from './request-bytes.ts';
import { serveArguments, spawnReady } from './spawn-server.ts';

const creates = 10;
const calls = 'fdatasync,fsync,write,writev,sendto,sendmsg,pwrite64';

interface Acknowledged {
  lines: string[];
  isSynced: boolean;
}

/** Cuts a trace at its acknowledgements; each must follow a sync of the log that follows the log's last write. */
function readTrace(trace: string): Acknowledged[] {
  const acknowledged: Acknowledged[] = [];
  const syncing = new Set<string>();
  let lines: string[] = [];
  let isSynced = false;
  for (const line of trace.split('\n')) {
    const thread = line.split(' ', 1)[0] ?? '';
    const isLog = line.includes('.db-wal');
    if (isLog && /pwrite64\(/.test(line)) isSynced = false;
    else if (isLog && /f(data)?sync\(/.test(line)) {
      if (line.includes('unfinished')) syncing.add(thread);
      else isSynced = line.endsWith('= 0');
    } else if (/f(data)?sync resumed/.test(line) && syncing.delete(thread)) isSynced = line.endsWith('= 0');
    else if (line.includes('HTTP/1.1 201')) {
      acknowledged.push({ lines: [...lines, line], isSynced });
      lines = [];
      isSynced = false;
      continue;
    } else continue;
    lines.push(line);
  }
  return acknowledged;
}

async function traceCreates(folder: string): Promise<string> {
  const traceFile = join(folder, 'trace');
  const strace = ['strace', '-f', '-y', '-tt', '-s', '24', '-e', `trace=${calls}`, '-o', traceFile];
  const tracer = await spawnReady([
    ...strace,
    process.execPath,
    ...serveArguments({ flags: ['--data', join(folder, 'data')] }),
  ]);
  const connection = await Connection.open(tracer.port);
  const thread = JSON.parse(await connection.ask(createThread(), 201)) as { id: string };
  for (let made = 0; made < creates; made++) await connection.ask(create(thread.id), 201);
  connection.close();
  const [server] = readFileSync(`/proc/${tracer.pid}/task/${tracer.pid}/children`, 'utf8').trim().split(' ');
  process.kill(Number(server), 'SIGTERM');
  while (isRunning(tracer.pid)) await sleep(50);
  return readFileSync(traceFile, 'utf8');
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function prove(): Promise<number> {
  if (spawnSync('strace', ['-V']).error) {
    process.stderr.write('strace is not installed; this proof needs it\n');
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-fsync-'));
  try {
    const [, ...acknowledged] = readTrace(await traceCreates(folder));
    const synced = acknowledged.filter(({ isSynced }) => isSynced);
    process.stdout.write(`The system calls of the last create:\n${acknowledged.at(-1)?.lines.join('\n')}\n\n`);
    process.stdout.write(`${synced.length} of ${creates} creates were acknowledged after the log was synced\n`);
    return synced.length === creates ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await prove();
