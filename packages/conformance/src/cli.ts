#!/usr/bin/env node
/** holdpoint-conformance URL KEY [--only SUITE] [--json]: exits with 0 if all cases pass, 1 if one fails, and 2 after a mistake or without a server. */
import { parseArgs } from 'node:util';
import { type Suite, suites } from './case.ts';
import { cases } from './cases/cases.ts';
import { checkServer, type Result, runCases } from './check-server.ts';

const usage = `holdpoint-conformance URL KEY [--only SUITE] [--json]
  URL      of the server, such as http://127.0.0.1:7400
  KEY      an admin key of it
  --only   one of ${suites.join(', ')}; may be repeated
  --json   the report as JSON
It creates threads, questions and one org of its own on that server, and removes nothing.
`;

function mistake(message: string): never {
  process.stderr.write(`${message}\n\n${usage}`);
  process.exit(2);
}

function readArgs() {
  try {
    const options = { only: { type: 'string', multiple: true }, json: { type: 'boolean' } } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return mistake((error as Error).message);
  }
}

const { values, positionals } = readArgs();
const [url, key] = positionals;
if (!url || !key || positionals.length > 2) mistake('Give a URL and a key.');
if (!URL.canParse(url)) mistake(`"${url}" is not a URL.`);
const only = values.only ?? [...suites];
const unknown = only.find((name) => !suites.includes(name as Suite));
if (unknown !== undefined) mistake(`There is no suite "${unknown}".`);

const problem = await checkServer({ url, key }, only as Suite[]);
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

let lastSuite: string | undefined;
const results = await runCases(
  cases.filter(({ suite }) => only.includes(suite)),
  { url, key },
  values.json ? undefined : print,
);
const failed = results.filter(({ ok }) => !ok);
if (values.json) process.stdout.write(`${JSON.stringify({ url, results }, null, 2)}\n`);
else process.stdout.write(`\n${results.length - failed.length} of ${results.length} passed\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function print({ suite, name, ok, failure, ms }: Result): void {
  if (suite !== lastSuite) process.stdout.write(`\n${suite}\n`);
  lastSuite = suite;
  process.stdout.write(`  ${ok ? 'ok  ' : 'FAIL'} ${name} (${ms} ms)\n`);
  if (failure) process.stdout.write(`       ${failure.replaceAll('\n', '\n       ')}\n`);
}
