/** Tells a client that gave a progress token, every few seconds, that its call still waits: it may then allow the call more time. */
import type { ServerContext } from '@modelcontextprotocol/server';

/** Passes the work through, and reports for as long as it takes. */
export type WhileWaiting = <T>(work: Promise<T>) => Promise<T>;

const everyMs = 5_000;

export function waitProgress({ mcpReq }: ServerContext): WhileWaiting {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return (work) => work;
  const begunAt = performance.now();
  const report = () => {
    const progress = Math.round(performance.now() - begunAt) / 1_000;
    const params = { progressToken, progress, message: 'Waiting for a person to answer.' };
    // A client that is gone ends the wait itself.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
  return async (work) => {
    report();
    const timer = setInterval(report, everyMs);
    return work.finally(() => clearInterval(timer));
  };
}
