/** One delivery. Opened, it lists every attempt with its result. */
import type { Delivery } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { Badge, durationOf, exactTime, Time, type Tone } from '../parts/inline.tsx';
import { toast } from '../parts/toasts.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';

const tones: Record<Delivery['status'], Tone> = { pending: 'warn', delivered: 'good', dead: 'bad' };
const words: Record<Delivery['status'], string> = { pending: 'Pending', delivered: 'Delivered', dead: 'Failed' };

export function DeliveryRow({ delivery, onReplayed }: { delivery: Delivery; onReplayed(): void }) {
  const { event, status, attempts, createdAt } = delivery;
  const last = attempts.at(-1);
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
            <Badge tone={tones[status]}>{words[status]}</Badge>
          </span>
        </summary>
        <Attempts delivery={delivery} onReplayed={onReplayed} />
      </details>
    </li>
  );
}

function Attempts({ delivery, onReplayed }: { delivery: Delivery; onReplayed(): void }) {
  const { id: deliveryId, webhookId, event, status, attempts, nextAttemptAt, replayOf, replayedBy } = delivery;
  const [isBusy, setBusy] = useState(false);
  const replay = async () => {
    if (isBusy) return;
    setBusy(true);
    try {
      await service.replayDelivery({ webhookId, deliveryId });
      toast('Sending again.');
      onReplayed();
    } catch (error) {
      toast(wordsFor(error), 'bad');
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="attempts">
      {attempts.length > 0 && (
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Attempt</th>
              <th scope="col" class="number">
                Status
              </th>
              <th scope="col" class="number">
                Duration
              </th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt, index) => (
              <tr key={index}>
                <td class="attempt-at">{exactTime(attempt.at)}</td>
                <td class="number">{attempt.status ?? '–'}</td>
                <td class="number">{durationOf(attempt.durationMs)}</td>
                <td>{attempt.error ?? 'Accepted'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="attempts-end">
        {status !== 'pending' && (
          <button type="button" class="button small" aria-disabled={isBusy} onClick={replay}>
            Send again
          </button>
        )}
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
