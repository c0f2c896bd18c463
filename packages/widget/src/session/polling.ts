/**
 * Polls again and again: soon after something happened, and less and less often while nothing does. `poll` returns the
 * longest pause until the next poll, or undefined to pause until the returned function is called.
 */
export function startPolling(poll: () => Promise<number | undefined>, firstPauseMs: number, signal: AbortSignal) {
  let pauseMs = firstPauseMs;
  let isDue = false;
  let endPause: (() => void) | undefined;
  const pollNow = () => {
    pauseMs = firstPauseMs;
    isDue = true;
    endPause?.();
  };
  const run = async () => {
    while (!signal.aborted) {
      const longestMs = await poll();
      if (!isDue && !signal.aborted)
        await new Promise<void>((resolve) => {
          endPause = resolve;
          if (longestMs !== undefined) setTimeout(resolve, Math.min(pauseMs, longestMs));
        });
      isDue = false;
      pauseMs *= 1.5;
    }
  };
  signal.addEventListener('abort', pollNow);
  void run();
  return pollNow;
}
