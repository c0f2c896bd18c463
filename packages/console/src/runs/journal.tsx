/** The journal of a run as a timeline of calls. */
import { isObject, type JournalEntry } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { useInteraction } from '../look-up.ts';
import { Code } from '../parts/code.tsx';
import { Badge, durationOf, exactTime, VisibleText } from '../parts/inline.tsx';
import { href } from '../route.ts';

type JournalCall = ReturnType<typeof callsOf>[number];

/** Groups journal entries by call. */
export function callsOf(entries: readonly JournalEntry[]) {
  return [...Map.groupBy(entries, ({ call }) => call)]
    .sort(([a], [b]) => a - b)
    .map(([call, own]) => {
      const first = own[0] as JournalEntry;
      const last = own.at(-1) as JournalEntry;
      const failed = own.filter(({ type, state, data }) => type === 'step' && state === 'begun' && has(data, 'error'));
      const asked = own.flatMap(({ data }) => (has(data, 'interactionId') ? [String(data.interactionId)] : [])).at(-1);
      return {
        call,
        type: first.type,
        name: first.name,
        /** The state of the last entry. */
        state: last.state,
        beganAt: first.at,
        endedAt: last.state === 'begun' ? undefined : last.at,
        entries: own,
        /** The failed attempts of a step, and the last one. */
        attempts: failed.length + (last.state === 'begun' ? 0 : 1),
        /** The request that the call waits or waited for. */
        interactionId: asked,
      };
    });
}

const has = <K extends string>(data: unknown, name: K): data is Record<K, unknown> => isObject(data) && name in data;

const callWords: Record<JournalEntry['type'], string> = {
  say: 'Message sent',
  ask: 'Request',
  step: 'Step',
  sleep: 'Pause',
  message: 'Message received',
  now: 'Time',
  random: 'Random number',
};

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
            {state === 'begun' && <Badge tone="warn">Running</Badge>}
            {state === 'failed' && <Badge tone="bad">Failed</Badge>}
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
                <a href={href('inbox', interactionId)}>View the request</a>
              </p>
            )}
            <Code text={JSON.stringify(entries, null, 2)} what={`the entries of call ${number}`} />
          </div>
        )}
      </details>
    </li>
  );
}
