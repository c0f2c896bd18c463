import { expect, test } from 'vitest';
import { demoEnvironment } from './demo-environment.ts';

test('[DM1] the agent is given what Node needs, and nothing that the server was told', () => {
  const given = { PATH: '/bin', HOME: '/home/ann', TMPDIR: '/tmp', SystemRoot: 'C:' };
  const withheld = {
    HOLDPOINT_API_KEY: 'a',
    DATABASE_URL: 'b',
    AWS_SECRET_ACCESS_KEY: 'c',
    NODE_OPTIONS: 'd',
    PGPASSWORD: 'e',
  };
  expect(demoEnvironment({ ...given, ...withheld })).toEqual(given);
});
