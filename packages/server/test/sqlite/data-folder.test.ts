/** The error and the exit code for a data folder that cannot be used. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../run-command.ts';
import { serversOfATest } from '../servers-of-a-test.ts';
import { serveCommand } from '../spawned-server.ts';

const servers = serversOfATest();

test('[S4] refuses a data folder in use by a live process, with its id', async () => {
  const { admin, process: first } = await servers.start();
  const { stdout, stderr, code } = await runCommand(serveCommand(servers.place));
  expect({ stdout, stderr, code }).toEqual({
    stdout: '',
    stderr: `holdpoint: ${servers.place.config.dataFolder} is in use by another running Holdpoint (process ${first.pid})\n`,
    code: 2,
  });
  expect((await admin.post('/v1/threads', { id: 'one' })).status).toBe(201);
});

test('[S4] refuses a data folder that is a file, and an invalid database', async () => {
  const { dataFolder } = servers.place.config;
  const file = join(dataFolder, 'file');
  writeFileSync(file, '');
  writeFileSync(join(dataFolder, 'holdpoint.db'), 'not a database'.repeat(1000));
  const [first, second] = await Promise.all([
    runCommand(serveCommand({ flags: ['--data', file] })),
    runCommand(serveCommand(servers.place)),
  ]);
  expect(first).toMatchObject({ stdout: '', code: 2 });
  expect(first.stderr).toMatch(/^holdpoint: the data folder .+\/file cannot be used: .+\n$/);
  expect(second).toMatchObject({ stdout: '', code: 2 });
  expect(second.stderr).toBe(
    `holdpoint: the data folder ${dataFolder} cannot be used: holdpoint.db is damaged (file is not a database). Restore it from a backup.\n`,
  );
});
