/** `npm run check`: runs the compiler on every project, and reports the errors of all of them. */
import { spawnSync } from 'node:child_process';

const projects = [
  '.',
  ...['protocol', 'widget', 'widget/test', 'console', 'console/test'].map((path) => `packages/${path}`),
];

for (const project of projects) {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exitCode = 1;
}
