/** Resident memory of a process in KB: the mean of a few reads, after its garbage collector had time to settle. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export async function residentKb(pid: number): Promise<number> {
  await sleep(1_000);
  const reads: number[] = [];
  for (let read = 0; read < 5; read++) {
    await sleep(200);
    reads.push(residentKbNow(pid));
  }
  return reads.reduce((sum, value) => sum + value, 0) / reads.length;
}

export function residentKbNow(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
