/** Lists the problems on top of the form, each with a link to its field. Gets the focus when an answer is rejected. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Strings } from '../strings/strings.ts';

export interface SummaryLine {
  message: string;
  /** The id of the control, if the problem is about a field. */
  controlId?: string;
}

interface ErrorSummaryProps {
  lines: readonly SummaryLine[];
  /** Changes with every try, so that the focus comes back even if the lines are the same. */
  attempt: number;
  strings: Strings;
}

export function ErrorSummary({ lines, attempt, strings }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (lines.length > 0) box.current?.focus();
  }, [attempt]);
  if (lines.length === 0) return null;
  // An anchor does not scroll within a shadow root, so the focus is moved by hand.
  const goTo = (controlId: string) => (event: Event) => {
    event.preventDefault();
    const root = box.current?.getRootNode() as ShadowRoot | undefined;
    // A part without a control of its own leads to the part around it.
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
