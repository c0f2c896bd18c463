/** The help texts of the commands. */
import { expect, test } from 'vitest';
import { commands } from '../../src/commands/commands.ts';
import { startCommand } from './commands-of-a-test.ts';

const help = (...args: string[]) => startCommand('', args).finished;

test('[CM9] an overview with one line for each command, and no key or server is needed', async () => {
  const ways = [['--help'], ['help'], ['-h'], []];
  for (const { stdout, stderr, code } of await Promise.all(ways.map((args) => help(...args)))) {
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    for (const name of Object.keys(commands)) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect(stdout).not.toContain('demo-agent');
    expect(stdout.split('\n').length).toBeLessThan(25);
  }
});

test('[CM9] COMMAND --help says all of it, within the width of a terminal', async () => {
  const names = Object.keys(commands);
  const outputs = await Promise.all(names.map((name) => help(name, '--help')));
  for (const [index, { stdout, stderr, code }] of outputs.entries()) {
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(stdout).toMatch(new RegExp(`^holdpoint ${names[index]} `));
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout.split('\n').filter((line) => line.length > 125)).toEqual([]);
  }
});

test('[CM9] demo-agent is for the server alone', async () => {
  const { stderr, code } = await help('demo-agent');
  expect({ stderr, code }).toEqual({
    code: 2,
    stderr: 'holdpoint: demo-agent is started by the server: holdpoint serve\n',
  });
});
