/** Placeholders while data loads, after loading failed, and where there is no data. */
import type { ComponentChildren } from 'preact';
import type { Loaded, Paged } from '../load.ts';
import { wordsFor } from '../service.ts';
import { Button } from './button.tsx';
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
      {onRetry && <Button text="Try again" look="small" onClick={onRetry} />}
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
  /** One or two sentences about the next step. */
  children: ComponentChildren;
  /** A command that creates the first record. */
  more?: ComponentChildren;
}

export function Empty({ title, icon, children, more }: EmptyProps) {
  return (
    <div class="empty">
      {icon && (
        <span class="empty-icon">
          <Icon name={icon} />
        </span>
      )}
      <h2>{title}</h2>
      <p>{children}</p>
      {more}
    </div>
  );
}

interface ListedProps<T> extends ShownProps<readonly T[]> {
  of: Paged<T>;
  /** Shown if the list has no items. */
  empty: ComponentChildren;
}

/** Shows a list that loads page by page, with a button for the next page. */
export const Listed = <T,>({ of, rows = 3, empty, children }: ListedProps<T>) => (
  <>
    <Shown of={of} rows={rows}>
      {(items) => (items.length === 0 ? empty : children(items))}
    </Shown>
    {of.more && (
      <div class="more">
        <Button text="Show more" look="small" isOff={of.isLoading} onClick={of.more} />
      </div>
    )}
  </>
);
