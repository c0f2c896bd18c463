/** Checks commit subjects: `--file <message>` for the commit-msg hook, or a range such as `origin/main..HEAD` in CI. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { problemOfSubject } from './commit-subject.ts';

const [first = 'origin/main..HEAD', file = ''] = process.argv.slice(2);
const subjects =
  first === '--file'
    ? [readFileSync(file, 'utf8').split('\n', 1)[0] ?? '']
    : execFileSync('git', ['log', '--no-merges', '--format=%s', first], { encoding: 'utf8' })
        .split('\n')
        .filter(Boolean);
for (const subject of subjects) {
  const problem = problemOfSubject(subject);
  if (problem === undefined) continue;
  process.stderr.write(`${subject}\n  ${problem} See CONTRIBUTING.md, "Commits".\n`);
  process.exitCode = 1;
}
