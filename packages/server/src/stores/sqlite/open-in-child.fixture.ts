/** Opens a store in a process of its own, reports the result, and keeps it open until a message or a signal ends it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from './sqlite-store.ts';

export interface ChildSays {
  opened: boolean;
  error?: { name: string; message: string };
}

const createdBy = { type: 'agent', id: 'child', via: 'key' } as const;
const self = fileURLToPath(import.meta.url);

export async function openInChild(
  folder: string,
  { uid }: { uid?: number } = {},
): Promise<{ child: ChildProcess; says: ChildSays }> {
  const child = spawn(process.execPath, [self, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, says: JSON.parse(line) as ChildSays };
}

export async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
}

async function openHere(folder: string): Promise<ChildSays> {
  try {
    const store = await openSqliteStore({ folder });
    const at = '2030-01-01T00:00:00.000Z';
    await store.commit({
      orgId: 'acme',
      newThread: { id: 'from-child', version: 1, createdBy, createdAt: at, updatedAt: at },
    });
    return { opened: true };
  } catch (error) {
    const { name, message } = error as Error;
    return { opened: false, error: { name, message } };
  }
}

if (process.argv[1] === self) {
  process.stdout.write(`${JSON.stringify(await openHere(process.argv[2] ?? ''))}\n`);
  process.stdin.resume().on('end', () => process.exit());
}
