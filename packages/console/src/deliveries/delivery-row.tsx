/** One delivery. Opened, it lists every attempt with its result. */
import type { Delivery } from '@holdpoint/protocol';
import { Button, useAction } from '../parts/button.tsx';
import { Badge, durationOf, exactTime, Time, type Tone } from '../parts/inline.tsx';
import { Table } from '../parts/table.tsx';
import { toast } from '../parts/toasts.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';

const badges: Record<Delivery['status'], [Tone, string]> = {
  pending: ['warn', 'Pending'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Failed'],
};

export function DeliveryRow({ delivery, onReplayed }: { delivery: Delivery; onReplayed(): void }) {
  const { event, status, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
  const [tone, word] = badges[status];
  return (
    <li>
      <details class="delivery">
        <summary>
          <span class="delivery-what">
            <span class="mono cell-main">{event.type}</span>
            <span class="cell-sub clip">{last?.error ?? `Event ${event.seq} of its thread`}</span>
          </span>
          <span class="delivery-code number">{last?.status ?? '–'}</span>
          <span class="delivery-tries number">
            {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
          </span>
          <span class="delivery-when muted">
            <Time at={createdAt} />
          </span>
          <span class="delivery-status">
            <Badge tone={tone}>{word}</Badge>
          </span>
        </summary>
        <Attempts delivery={delivery} onReplayed={onReplayed} />
      </details>
    </li>
  );
}

function Attempts({ delivery, onReplayed }: { delivery: Delivery; onReplayed(): void }) {
  const { id: deliveryId, webhookId, event, status, attempts, nextAttemptAt, replayOf, replayedBy } = delivery;
  const [replay, isBusy] = useAction(async () => {
    await service.replayDelivery({ webhookId, deliveryId });
    toast('Sending again.');
    onReplayed();
  });
  return (
    <div class="attempts">
      {attempts.length > 0 && (
        <Table heads={['Attempt', ['Status', 'number'], ['Duration', 'number'], 'Result']}>
          {attempts.map((attempt, index) => (
            <tr key={index}>
              <td class="attempt-at">{exactTime(attempt.at)}</td>
              <td class="number">{attempt.status ?? '–'}</td>
              <td class="number">{durationOf(attempt.durationMs)}</td>
              <td>{attempt.error ?? 'Accepted'}</td>
            </tr>
          ))}
        </Table>
      )}
      <p class="attempts-end">
        {status !== 'pending' && <Button text="Send again" look="small" isOff={isBusy} onClick={replay} />}
        {nextAttemptAt && (
          <span>
            Next attempt <Time at={nextAttemptAt} />
          </span>
        )}
        <a href={href('threads', event.threadId, { event: String(event.seq) })}>View event {event.seq}</a>
        {replayOf && <span class="muted">Sent again manually</span>}
        {replayedBy && <span class="muted">Sent again since</span>}
        <code class="muted">{deliveryId}</code>
      </p>
    </div>
  );
}
