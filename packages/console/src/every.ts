/** Does something now and then while the page is looked at, and at once when one comes back to it. */
import { useEffect } from 'preact/hooks';

export function useEvery(ms: number, act: () => void): void {
  useEffect(() => {
    const look = () => {
      if (!document.hidden) act();
    };
    const timer = setInterval(look, ms);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [ms, act]);
}
