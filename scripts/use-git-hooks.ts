/** `npm ci` runs this: git then uses the hooks of `.githooks`. Without git or a clone there is nothing to set. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (existsSync('.git') && !process.env.CI) spawnSync('git', ['config', 'core.hooksPath', '.githooks']);
