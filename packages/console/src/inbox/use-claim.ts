/** The claim of a request, until it ends by itself. */
import type { Claim, Interaction } from '@holdpoint/protocol';
import { useEffect, useState } from 'preact/hooks';

/** A timer waits at most this long. */
const longestMs = 2 ** 31 - 1;

export function useClaim({ claim }: Interaction): Claim | undefined {
  const [, redraw] = useState(0);
  const leftMs = claim ? Date.parse(claim.until) - Date.now() : 0;
  useEffect(() => {
    if (leftMs <= 0) return;
    const timer = setTimeout(() => redraw((count) => count + 1), Math.min(leftMs + 1, longestMs));
    return () => clearTimeout(timer);
  }, [claim?.until]);
  return leftMs > 0 ? claim : undefined;
}
