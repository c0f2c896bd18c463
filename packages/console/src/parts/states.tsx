/** Placeholders while data loads, after loading failed, and where there is no data. */
import type { ComponentChildren } from 'preact';
import { wordsFor } from '../error-text.ts';
import type { Loaded } from '../load.ts';
import { Icon, type IconName } from './icon.tsx';

/** As high as the expected content, so that nothing moves when it arrives. */
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

/** Shows loading, then the data. An error is shown above the last data. */
export function Shown<T>({ of, rows = 3, children }: ShownProps<T>) {
  const { data, error, reload } = of;
  return (
    <>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {data !== undefined ? children(data) : error === undefined && <Loading rows={rows} />}
    </>
  );
}

interface EmptyProps {
  title: string;
  icon?: IconName;
  /** How to create the first one: a button, or a command. */
  children?: ComponentChildren;
}

export function Empty({ title, icon, children }: EmptyProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** The button below a list that has further pages. */
export function More({ of: { more, isLoading } }: { of: { more?: () => void; isLoading: boolean } }) {
  if (!more) return null;
  return (
    <div class="more">
      <button type="button" class="button small" aria-disabled={isLoading} onClick={more}>
        Show more
      </button>
    </div>
  );
}
