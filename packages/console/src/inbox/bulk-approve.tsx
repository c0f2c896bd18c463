/** Approving several: each is named first, then they are sent one by one, and what fails is said. */
import { HoldpointError, type Interaction } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import { useRef, useState } from 'preact/hooks';
import { me } from '../me.ts';
import { Dialog } from '../parts/dialog.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { service } from '../service.ts';
import { wordsFor } from '../words-for.ts';
import { AnswerView } from './answer-view.tsx';
import type { Names } from './names.ts';
import { allowanceOf, type WaitingItem } from './waiting-item.ts';

interface BulkApproveProps {
  /** As they were when one asked for it: nothing slips in while one reads. */
  items: readonly WaitingItem[];
  names: Names;
  onClose(): void;
}

type Outcome = 'sent' | { fault: string; closed?: Interaction };

export function BulkApprove({ items, names, onClose }: BulkApproveProps) {
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
      const outcome = await approveOne(item);
      setOutcomes((before) => new Map(before).set(item.interaction.id, outcome));
    }
    setAt(items.length);
  }

  const close = () => {
    isStopped.current = true;
    onClose();
  };
  return (
    <Dialog title={items.length === 1 ? 'Approve this one?' : `Approve these ${items.length}?`} onClose={close}>
      <p>
        Each is allowed as it was proposed, in the name of <b>{me()}</b>, one after the other.
      </p>
      <ol class="bulk-list">
        {items.map((item) => (
          <BulkLine key={item.interaction.id} {...{ item, names }} outcome={outcomes.get(item.interaction.id)} />
        ))}
      </ol>
      <p role="status" class="bulk-status">
        {at !== undefined && !isOver && `Approving ${at + 1} of ${items.length}…`}
        {isOver && `${outcomes.size - failed} approved${failed > 0 ? `, ${failed} could not be` : ''}.`}
      </p>
      <div class="actions">
        {!isOver && (
          <button
            type="button"
            class="button primary"
            aria-disabled={at !== undefined || undefined}
            onClick={() => void approve()}
          >
            {items.length === 1 ? 'Approve it' : `Approve all ${items.length}`}
          </button>
        )}
        <button type="button" class="button" onClick={close}>
          {isOver ? 'Close' : at === undefined ? 'Cancel' : 'Stop'}
        </button>
      </div>
    </Dialog>
  );
}

async function approveOne(item: WaitingItem): Promise<Outcome> {
  const { id: interactionId, digest, version } = item.interaction;
  const values = allowanceOf(item, me());
  if (!values) return { fault: 'This one has to be looked at.' };
  // Only what was read is approved; one of before there were digests is at another version once it was changed.
  const read = digest === undefined ? { expectedVersion: version } : { digest };
  const answer = { interactionId, ...read, values, responder: { type: 'human', id: me() } as const };
  const idempotencyKey = newKey();
  const send = () => service.submitAnswer({ ...answer, idempotencyKey });
  try {
    // The server may have accepted the approval although its response was lost. The same key tells which. The name of
    // the responder does not, because everybody's default name is "console".
    await send().catch((error: unknown) => (isRefusal(error) ? Promise.reject(error) : send()));
    return 'sent';
  } catch (error) {
    const now = isRefusal(error) ? await service.getInteraction({ interactionId }).catch(() => undefined) : undefined;
    if (!now || now.status === 'pending') return { fault: wordsFor(error) };
    return { fault: 'Not approved: somebody else decided first.', closed: now };
  }
}

const isRefusal = (error: unknown): boolean => error instanceof HoldpointError && error.fault.status === 409;

function BulkLine({ item, names, outcome }: { item: WaitingItem; names: Names; outcome: Outcome | undefined }) {
  const { title, threadId, arguments: proposed = {} } = item.interaction;
  const told = Object.entries(proposed).map(([name, value]) => `${name}: ${plain(value)}`);
  return (
    <li>
      <span class="bulk-title">
        <VisibleText text={title} />
      </span>
      <span class="hint">
        <VisibleText
          text={[`${names.agentOf(item.interaction)} in ${names.titleOf(threadId)}`, ...told].join(' · ').slice(0, 300)}
        />
      </span>
      {outcome === 'sent' && <span class="bulk-sent">Approved</span>}
      {outcome && outcome !== 'sent' && <span class="fault">{outcome.fault}</span>}
      {outcome && outcome !== 'sent' && outcome.closed && <AnswerView interaction={outcome.closed} />}
    </li>
  );
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
