import { expect, onTestFinished, test, vi } from 'vitest';
import { DemoProcess } from './demo-process.ts';

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
  /** Without looking again and again, which would move the clock. */
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
