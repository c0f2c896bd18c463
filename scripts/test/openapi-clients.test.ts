/** The OpenAPI document in other tools: two linters, and three generated clients that are compiled and used. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../packages/server/src/config.ts';
import { type RunningServer, startServer } from '../../packages/server/src/main.ts';
import { env } from './consumer.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'holdpoint-openapi-'));
const key = 'key-of-the-tests';
let server: RunningServer;

/** Returns the output. */
async function runHere(command: string, args: readonly string[]): Promise<string> {
  const more = { HOLDPOINT_URL: server.url, HOLDPOINT_API_KEY: key };
  const ended = await run(command, args, { cwd: folder, env: { ...env, ...more }, maxBuffer: 64_000_000 }).catch(
    (failed: { stdout: string; stderr: string }) => {
      throw new Error(`${command} ${args.join(' ')} failed:\n${failed.stdout}\n${failed.stderr}`);
    },
  );
  return ended.stdout;
}
const runTool = (path: string, ...args: string[]) => runHere(process.execPath, [`node_modules/${path}`, ...args]);

beforeAll(async () => {
  cpSync(new URL('openapi-clients', import.meta.url), folder, { recursive: true });
  const args = ['--port', '0', '--log-level', 'silent', '--data', join(folder, 'data'), '--no-demo'];
  server = await startServer(readConfig(args, { HOLDPOINT_API_KEY: key }));
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${server.url}/openapi.json`)).text());
  // Dependencies of these tests alone, so that `npm ci` of the repository stays small.
  await runHere('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']);
}, 900_000);
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('[H22] Redocly and Spectral find no error in the document', async () => {
  const found = (await runHere(process.execPath, ['lint.mjs'])).split('\n').filter((line) => line !== '');
  expect(found.filter((line) => JSON.parse(line).severity === 'error')).toEqual([]);
});

test('[H22] the clients of openapi-typescript, Hey API and Orval compile and work', async () => {
  await runTool('.bin/openapi-typescript', 'openapi.json', '--output', 'generated/openapi-typescript.ts');
  await runTool('.bin/openapi-ts', '--input', 'openapi.json', '--output', 'generated/hey-api');
  await runTool('.bin/orval', '--config', 'orval.config.mjs');
  await runTool('.bin/tsc', '-p', '.');
  for (const name of ['openapi-fetch', 'hey-api', 'orval']) {
    const outfile = join(folder, `${name}.mjs`);
    await build({
      ...{ entryPoints: [join(folder, 'use', `${name}.ts`)], outfile, absWorkingDir: folder },
      ...{ bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'error' },
    });
    const printed = await runHere(process.execPath, [outfile]);
    expect([name, JSON.parse(printed)]).toEqual([name, [{ env: 'staging' }, 1, 'interaction-not-found']]);
  }
});
