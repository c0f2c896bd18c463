/** Memory and processor time of a process. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resident memory in KB: the mean of a few reads, after the garbage collector of the process had time to settle. */
export async function residentKb(pid: number): Promise<number> {
  await sleep(1_000);
  const reads: number[] = [];
  for (let read = 0; read < 5; read++) {
    await sleep(200);
    reads.push(residentKbNow(pid));
  }
  return reads.reduce((sum, value) => sum + value, 0) / reads.length;
}

export const residentKbNow = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Linux reports hundredths of a second, independent of the tick of the kernel. */
const tickMs = 10;

/** In milliseconds. Other processes affect it much less than requests per second. */
export function processorMs(pid: number): number {
  // The command's name, in parentheses, may hold spaces; user and system time are the 12th and 13th fields after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
