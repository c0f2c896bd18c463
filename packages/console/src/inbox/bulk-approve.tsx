/** Approves several requests: lists them, sends the approvals one by one, and reports each failure. */
import { HoldpointError, type Interaction } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useRef, useState } from 'preact/hooks';
import type { Names } from '../look-up.ts';
import { type Myself, useMe } from '../me.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { VisibleText } from '../parts/inline.tsx';
import { YouAnswer } from '../parts/you-answer.tsx';
import { service, wordsFor } from '../service.ts';
import { AnswerView } from './answer-view.tsx';
import { allowanceOf, type PendingItem } from './pending-items.ts';

interface BulkApproveProps {
  /** A snapshot, so that no request is added while the user reads. */
  items: readonly PendingItem[];
  names: Names;
  onClose(): void;
}

type Outcome = 'sent' | { fault: string; closed?: Interaction };

export function BulkApprove({ items, names, onClose }: BulkApproveProps) {
  const me = useMe();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [at, setAt] = useState<number>();
  const isStopped = useRef(false);
  const isOver = at === items.length;
  const failed = [...outcomes.values()].filter((outcome) => outcome !== 'sent').length;

  async function approve(): Promise<void> {
    if (at !== undefined) return;
    for (const [index, item] of items.entries()) {
      if (isStopped.current) break;
      setAt(index);
      const outcome = await approveOne(item, me);
      setOutcomes((before) => new Map(before).set(item.interaction.id, outcome));
    }
    setAt(items.length);
  }

  const verb = items.length === 1 ? 'Approve request' : `Approve ${items.length} requests`;
  const close = () => {
    isStopped.current = true;
    onClose();
  };
  return (
    <Dialog title={items.length === 1 ? 'Approve this request?' : `${verb}?`} onClose={close}>
      <p>Each is allowed as it was proposed, one after the other.</p>
      <YouAnswer />
      <ol class="bulk-list">
        {items.map((item) => (
          <BulkLine key={item.interaction.id} {...{ item, names }} outcome={outcomes.get(item.interaction.id)} />
        ))}
      </ol>
      <p role="status" class="bulk-status">
        {at !== undefined && !isOver && `Approving ${at + 1} of ${items.length}…`}
        {isOver && `${outcomes.size - failed} approved${failed > 0 ? `, ${failed} failed` : ''}.`}
      </p>
      <div class="actions">
        {!isOver && <Button text={verb} look="primary" isOff={at !== undefined} onClick={approve} />}
        <Button text={isOver ? 'Close' : at === undefined ? 'Cancel' : 'Stop'} onClick={close} />
      </div>
    </Dialog>
  );
}

async function approveOne(item: PendingItem, me: Myself): Promise<Outcome> {
  const { id: interactionId, digest, version } = item.interaction;
  const values = allowanceOf(item, me);
  if (!values) return { fault: 'Open this request to answer it.' };
  // Approves only what the user read. Records from before digests existed are compared by version.
  const read = digest === undefined ? { expectedVersion: version } : { digest };
  const answer = { interactionId, ...read, values };
  const idempotencyKey = newKey();
  const send = () => service.submitAnswer({ ...answer, idempotencyKey });
  try {
    // If the response was lost, the approval may have been accepted. Sending the same idempotency key again shows it.
    // The responder does not, because the same person may have answered in another window.
    await send().catch((error: unknown) => (isRefusal(error) ? Promise.reject(error) : send()));
    return 'sent';
  } catch (error) {
    const now = isRefusal(error) ? await service.getInteraction({ interactionId }).catch(() => undefined) : undefined;
    if (!now || now.status === 'pending') return { fault: wordsFor(error) };
    return { fault: 'Not approved: somebody else answered first.', closed: now };
  }
}

const isRefusal = (error: unknown): boolean => error instanceof HoldpointError && error.fault.status === 409;

function BulkLine({ item, names, outcome }: { item: PendingItem; names: Names; outcome: Outcome | undefined }) {
  const { interaction } = item;
  const proposed = Object.entries(interaction.arguments ?? {}).map(([name, value]) => `${name}: ${plain(value)}`);
  const title = names.titleOf(interaction.threadId);
  const requester = names.agentOf(interaction) + (title === undefined ? '' : ` in ${title}`);
  return (
    <li>
      <span class="bulk-title">
        <VisibleText text={interaction.title} />
      </span>
      <span class="hint">
        <VisibleText text={[requester, ...proposed].join(' · ').slice(0, 300)} />
      </span>
      {outcome === 'sent' && <span class="bulk-sent">Approved</span>}
      {outcome && outcome !== 'sent' && <span class="fault">{outcome.fault}</span>}
      {outcome && outcome !== 'sent' && outcome.closed && <AnswerView interaction={outcome.closed} />}
    </li>
  );
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
