/** `npm run check`: runs the compiler on every project, and reports each error once. */
import { spawnSync } from 'node:child_process';

const projects = [
  '.',
  ...['protocol', 'widget', 'widget/test', 'console', 'console/test'].map((name) => `packages/${name}`),
];

/** Projects share files, so most errors come several times: the same place, with words in another order. */
const reported = new Set<string>();

for (const project of projects) {
  const { status, stdout } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project]);
  if (status !== 0) process.exitCode = 1;
  for (const error of String(stdout).split(/\n(?=\S)/)) {
    const place = error.split(': error ', 1)[0] ?? '';
    if (!reported.has(place)) process.stdout.write(`${error.trimEnd()}\n`.trimStart());
    reported.add(place);
  }
}
