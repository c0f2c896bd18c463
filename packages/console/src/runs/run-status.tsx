/** How a run stands, and what it waits for. */
import type { Run, RunStatus, RunWait } from '@holdpoint/protocol';
import { useInteraction } from '../look-up.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Time } from '../parts/time.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { href } from '../route.ts';

const tones: Record<RunStatus, Tone> = {
  running: 'info',
  waiting: 'warn',
  completed: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

export const RunStatusBadge = ({ status }: { status: RunStatus }) => <Badge tone={tones[status]}>{status}</Badge>;

export function WaitsFor({ run }: { run: Run }) {
  const { waitingFor = [], error, status, cancelReason } = run;
  if (status === 'failed') return <span class="run-fault">{error?.message}</span>;
  if (status === 'cancelled') return <span>{cancelReason ?? ''}</span>;
  return (
    <>
      {waitingFor.map((wait, index) => (
        <span key={JSON.stringify(wait)}>
          {index > 0 && ' or '}
          <Wait wait={wait} />
        </span>
      ))}
    </>
  );
}

function Wait({ wait }: { wait: RunWait }) {
  const question = useInteraction(wait.type === 'interaction' ? wait.interactionId : undefined);
  if (wait.type === 'message') return <>the next message</>;
  if (wait.type === 'time')
    return (
      <>
        a time, <Time at={wait.until} />
      </>
    );
  return (
    <a href={href('inbox', wait.interactionId)}>
      <VisibleText text={question ? `“${question.title}”` : 'an answer'} />
    </a>
  );
}
