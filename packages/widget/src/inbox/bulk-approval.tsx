/** Approving several: named and confirmed first, sent one by one, and those that fail stay. */
import type { Interaction } from '@holdpoint/protocol';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RequestActions } from '../request/request-card.tsx';
import type { Strings } from '../strings/strings.ts';
import { approvalOf } from './approval-of.ts';

export interface BulkApprovalProps {
  chosen: readonly Interaction[];
  actions: RequestActions;
  onDone(): void;
  strings: Strings;
}

export function BulkApproval({ chosen, actions, onDone, strings }: BulkApprovalProps) {
  const [isAsked, ask] = useState(false);
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [failed, setFailed] = useState<readonly string[]>([]);
  const question = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (isAsked) question.current?.focus();
  }, [isAsked]);

  async function approve(): Promise<void> {
    if (progress) return;
    const faults: string[] = [];
    for (const [index, interaction] of chosen.entries()) {
      // Those that are done leave the list, so how many there were is kept.
      setProgress({ done: index + 1, all: chosen.length });
      const values = approvalOf(interaction);
      const outcome = values ? await actions.answer(interaction, values).catch(() => undefined) : undefined;
      if (!outcome?.ok) faults.push(interaction.title);
    }
    setProgress(undefined);
    setFailed(faults);
    ask(false);
    if (faults.length === 0) onDone();
  }

  return (
    <div class="bulk">
      {failed.length > 0 && (
        <p class="problem" role="alert">
          {strings.someFailed(failed.length)} {failed.join(', ')}
        </p>
      )}
      {isAsked ? (
        <div
          role="group"
          aria-labelledby="bulk-question"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            ask(false);
          }}
        >
          <h3 id="bulk-question" tabIndex={-1} ref={question}>
            {strings.approveThese(chosen.length)}
          </h3>
          <ul tabIndex={0}>
            {chosen.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ul>
          <div class="actions">
            <button
              type="button"
              class="button primary"
              aria-disabled={progress !== undefined || undefined}
              onClick={() => void approve()}
            >
              {progress ? strings.approving(progress.done, progress.all) : strings.approveAll}
            </button>
            <button type="button" class="quiet" onClick={() => ask(false)}>
              {strings.back}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" class="button" onClick={() => ask(true)}>
          {strings.approveSelected(chosen.length)}
        </button>
      )}
    </div>
  );
}
