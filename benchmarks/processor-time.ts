/** Processor time of a process, in milliseconds. Other processes affect it much less than requests per second. */
import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's own tick. */
const tickMs = 10;

export function processorMs(pid: number): number {
  // The command's name, in parentheses, may hold spaces; user and system time are the 12th and 13th fields after it.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
