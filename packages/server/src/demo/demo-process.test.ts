import { expect, onTestFinished, test, vi } from 'vitest';
import { DemoProcess, demoEnvironment } from './demo-process.ts';

test('[DM2] an agent that cannot be started is tried again, after longer and longer', async () => {
  const { execPath } = process;
  process.execPath = '/nowhere/node';
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const begin = vi.fn(async () => ({ type: 'begin', url: '', key: '', pace: 0 }) as const);
  const onError = vi.fn();
  const agent = new DemoProcess({ begin, urlOf: async () => '', onError });
  onTestFinished(() => {
    agent.stop();
    process.execPath = execPath;
    vi.useRealTimers();
  });
  /** Without polling, which would advance the clock. */
  const failure = () => new Promise<unknown>((resolve) => onError.mockImplementationOnce(resolve));
  let failed = failure();
  await agent.start();
  expect(await failed).toMatchObject({ code: 'ENOENT' });
  expect(agent.state).toBe('killed');
  for (const [tries, pauseMs] of [3_000, 6_000, 12_000].entries()) {
    failed = failure();
    await vi.advanceTimersByTimeAsync(pauseMs - 1);
    expect(begin).toHaveBeenCalledTimes(tries + 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await failed).toMatchObject({ code: 'ENOENT' });
  }
});

test('[DM1] the agent gets what Node needs, and no secret of the server', () => {
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
