/** Says that the server cannot be reached, until it can be reached again. */
import { useState } from 'preact/hooks';
import { useEvents, useEvery } from '../load.ts';
import { Icon } from '../parts/icon.tsx';

/** Not every page has a stream that would notice. */
const everyMs = 1_500;
const patienceMs = 10_000;

/** Always in the page, because screen readers announce only changes of a region that exists already. */
export function Offline() {
  const [isOffline, setOffline] = useState(false);
  const look = () =>
    void fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) }).then(
      () => setOffline(false),
      () => setOffline(true),
    );
  useEvery(everyMs, look);
  useEvents(window, ['online', 'offline'], look);
  return (
    <div class="offline" role="status">
      {isOffline && (
        <p>
          <Icon name="warning" />
          Offline. Reconnecting…
        </p>
      )}
    </div>
  );
}
