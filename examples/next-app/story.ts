/** The packed package is installed into a copy of the app, and `next build` builds it; then the same story as in the other apps. */
import { doesNotMatch, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packAll } from '../../scripts/pack.ts';
import { decideByLink } from '../decide-by-link.ts';
import { runStory } from '../run-story.ts';
import { print } from '../start-server.ts';

const run = promisify(execFile);
const next = 'node_modules/next/dist/bin/next';

await runStory(import.meta.dirname, decideByLink, {
  atMostMs: 600_000,
  async app({ folder: above, run: start }) {
    const folder = join(above, 'next-app');
    const tarballs = await packAll(join(above, 'packages'), ['protocol', 'client', 'agents', 'server']);
    for (const name of ['app', 'holdpoint.js', 'package.json'])
      cpSync(join(import.meta.dirname, name), join(folder, name), { recursive: true });
    print('story', 'installs the app');
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    await run('npm', ['install', ...flags, ...tarballs.values()], { cwd: folder });

    const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' };
    const { stdout, stderr } = await run('node', [next, 'build'], { cwd: folder, env });
    match(stdout, /Compiled successfully/);
    // On a CI machine Next.js warns that a new folder has no cache of an earlier build.
    doesNotMatch((stdout + stderr).replace(/^⚠ No build cache found.*$/m, ''), /warn|error|⚠/i);
    print('story', 'next build has built it');
    const app = start(['node', next, 'start', '--port', '0'], { folder, env: { NEXT_TELEMETRY_DISABLED: '1' } });
    const [, url = ''] = await app.printed(/(http:\/\/localhost:\d+)/);
    return url;
  },
});
