/** The command of the README, with the bundle that it builds. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { Client } from '../client.ts';
import { adminKey } from '../test-server.ts';
import { newFolderPlace } from './folder-place.ts';

test('[H7] npm start builds and serves; SIGTERM to npm stops the server with exit 0', async () => {
  const place = newFolderPlace();
  const npm = spawn('npm', ['start', '--', '--port', '0', ...place.flags], {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    env: { ...process.env, HOLDPOINT_API_KEY: adminKey },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    npm.kill('SIGKILL');
    return place[Symbol.asyncDispose]();
  });
  const ended = new Promise((resolve) => npm.once('close', resolve));
  let printed = '';
  const url = await new Promise<string>((resolve, reject) => {
    npm.stdout.on('data', (data) => {
      printed += data;
      const ready = /^holdpoint ready (http:\/\/127\.0\.0\.1:\d+)$/m.exec(printed);
      if (ready?.[1]) resolve(ready[1]);
    });
    ended.then((code) => reject(new Error(`npm start ended with ${code}: ${printed}`)));
  });
  const admin = new Client(url, adminKey);
  expect((await admin.post('/v1/threads', { id: 't' })).status).toBe(201);
  npm.kill('SIGTERM');
  expect(await ended).toBe(0);
  await expect(admin.get('/healthz')).rejects.toThrow();
});
