/** What is wrong, on top of the form, each line a way to its field. Focus comes here when an answer is refused. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Strings } from '../strings/strings.ts';

export interface SummaryLine {
  message: string;
  /** Of the control; absent where it is about no field. */
  controlId?: string;
}

interface ErrorSummaryProps {
  lines: readonly SummaryLine[];
  /** Changes with every try, so that focus comes back here though the lines are the same. */
  attempt: number;
  strings: Strings;
}

export function ErrorSummary({ lines, attempt, strings }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (lines.length > 0) box.current?.focus();
  }, [attempt]);
  if (lines.length === 0) return null;
  // An anchor in a shadow root scrolls nowhere, so focus is moved by hand.
  const goTo = (controlId: string) => (event: Event) => {
    event.preventDefault();
    const root = box.current?.getRootNode() as ShadowRoot | undefined;
    // Of a part that is not drawn by itself, the part around it is.
    let id = controlId;
    while (id.includes('/') && !root?.getElementById(id)) id = id.slice(0, id.lastIndexOf('/'));
    const control = root?.getElementById(id);
    control?.scrollIntoView({ block: 'center' });
    control?.focus();
  };
  return (
    <div class="summary" role="alert" tabIndex={-1} ref={box}>
      <h3>{strings.thereIsAProblem}</h3>
      <ul>
        {lines.map(({ message, controlId }) => (
          <li key={`${controlId} ${message}`}>
            {controlId ? (
              <a href={`#${controlId}`} onClick={goTo(controlId)}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
