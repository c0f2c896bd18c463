/** Few at once: the rest wait until it is their turn. */
export function inTurn(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running++;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody takes it in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
