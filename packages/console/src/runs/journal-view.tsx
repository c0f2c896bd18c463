/** The journal of a run as a line of time. */
import { useState } from 'preact/hooks';
import { useInteraction } from '../look-up.ts';
import { Badge } from '../parts/badge.tsx';
import { Code } from '../parts/code.tsx';
import { durationOf, exactTime } from '../parts/time.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { href } from '../route.ts';
import { callWords, type JournalCall } from './journal.ts';

export function JournalView({ calls }: { calls: readonly JournalCall[] }) {
  return (
    <ol class="journal" aria-label="Calls, in order">
      {calls.map((call) => (
        <CallLine key={call.call} call={call} />
      ))}
    </ol>
  );
}

function CallLine({ call }: { call: JournalCall }) {
  const [isOpen, open] = useState(false);
  const { call: number, type, name, state, beganAt, endedAt, attempts, entries, interactionId } = call;
  const question = useInteraction(interactionId);
  const result = entries.at(-1)?.data;
  const tookMs = endedAt ? Date.parse(endedAt) - Date.parse(beganAt) : undefined;
  return (
    <li class={`call ${type} ${state}`}>
      <span class="call-dot" aria-hidden="true" />
      <details onToggle={({ currentTarget }) => open(currentTarget.open)}>
        <summary>
          <span class="call-head">
            <span class="call-type">{callWords[type]}</span>
            <span class="call-name">
              <VisibleText text={question ? `“${question.title}”` : name} />
            </span>
          </span>
          <span class="call-about">
            {state === 'begun' && <Badge tone="warn">under way</Badge>}
            {state === 'failed' && <Badge tone="bad">failed</Badge>}
            {attempts > 1 && <Badge>{`${attempts} attempts`}</Badge>}
            {tookMs !== undefined && tookMs > 0 && <span>{durationOf(tookMs)}</span>}
            <time dateTime={beganAt}>{exactTime(beganAt)}</time>
          </span>
          {state !== 'begun' && result !== undefined && <span class="call-result clip">{JSON.stringify(result)}</span>}
        </summary>
        {isOpen && (
          <div class="event-more">
            {interactionId && (
              <p>
                <a href={href('inbox', interactionId)}>The question and its answer</a>
              </p>
            )}
            <Code text={JSON.stringify(entries, null, 2)} what={`the entries of call ${number}`} />
          </div>
        )}
      </details>
    </li>
  );
}
