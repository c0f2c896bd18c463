/** How many questions wait, for the badge beside the inbox: asked now and then, and at once when one was answered here. */
import { useEffect, useState } from 'preact/hooks';
import { service } from '../service.ts';

const everyMs = 5_000;

export function usePendingCount(): number | undefined {
  const [count, setCount] = useState<number>();
  useEffect(() => {
    let isGone = false;
    const look = () => {
      if (document.hidden) return;
      service.countInteractions({ status: 'pending' }).then(
        (counted) => isGone || setCount(counted.count),
        // The page that is shown says what is wrong; this is only a number.
        () => {},
      );
    };
    look();
    const timer = setInterval(look, everyMs);
    const events = ['holdpoint-closed', 'holdpoint-asked', 'visibilitychange'];
    for (const type of events) document.addEventListener(type, look);
    return () => {
      isGone = true;
      clearInterval(timer);
      for (const type of events) document.removeEventListener(type, look);
    };
  }, []);
  return count;
}
