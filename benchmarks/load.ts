/** Starts the load generator as a process and gives it one job at a time. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, Result } from './jobs.ts';

export interface Load {
  run(job: Job): Promise<Result>;
  close(): void;
}

export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('./load-generator.ts', import.meta.url)), { serialization: 'advanced' });
  return {
    run: (job) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error('the load generator failed; see above'));
        child.once('exit', ended);
        child.once('message', (result) => {
          child.off('exit', ended);
          resolve(result as Result);
        });
        child.send(job);
      }),
    close: () => child.disconnect(),
  };
}
