/** What stands in the place of something that is not there yet, or did not come. */
import type { ComponentChildren } from 'preact';
import type { Loaded } from '../load.ts';
import { wordsFor } from '../words-for.ts';
import { Icon } from './icon.tsx';

/** As high as what comes, so that nothing jumps when it does. */
export function Loading({ rows = 3, what = 'Loading' }: { rows?: number; what?: string }) {
  return (
    <div class="loading" role="status" aria-label={what}>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="loading-row" />
      ))}
    </div>
  );
}

export function Failed({ error, onRetry }: { error: unknown; onRetry?(): void }) {
  return (
    <div class="failed" role="alert">
      <Icon name="warning" />
      <p>{wordsFor(error)}</p>
      {onRetry && (
        <button type="button" class="button small" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

interface ShownProps<T> {
  of: Loaded<T>;
  rows?: number;
  children(data: T): ComponentChildren;
}

/** Loading, then what came; where it fails, why, above what was there before. */
export function Shown<T>({ of, rows = 3, children }: ShownProps<T>) {
  const { data, error, reload } = of;
  return (
    <>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {data !== undefined ? children(data) : error === undefined && <Loading rows={rows} />}
    </>
  );
}
