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
  // As they were when they were named: only what was read is approved.
  const [asked, ask] = useState<readonly Interaction[]>();
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [failed, setFailed] = useState<readonly string[]>([]);
  const question = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (asked) question.current?.focus();
  }, [asked]);

  async function approve(all: readonly Interaction[]): Promise<void> {
    if (progress) return;
    const faults: string[] = [];
    for (const [index, interaction] of all.entries()) {
      setProgress({ done: index + 1, all: all.length });
      const values = approvalOf(interaction);
      const outcome = values ? await actions.answer(interaction, values).catch(() => undefined) : undefined;
      if (!outcome?.ok) faults.push(interaction.title);
    }
    setProgress(undefined);
    setFailed(faults);
    ask(undefined);
    if (faults.length === 0) onDone();
  }

  return (
    <div class="bulk">
      {failed.length > 0 && (
        <p class="problem" role="alert">
          {strings.someFailed(failed.length)} {failed.join(', ')}
        </p>
      )}
      {asked ? (
        <div
          role="group"
          aria-labelledby="bulk-question"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            ask(undefined);
          }}
        >
          <h3 id="bulk-question" tabIndex={-1} ref={question}>
            {strings.approveThese(asked.length)}
          </h3>
          <ul tabIndex={0}>
            {asked.map(({ id, title }) => (
              <li key={id}>{title}</li>
            ))}
          </ul>
          <div class="actions">
            <button
              type="button"
              class="button primary"
              aria-disabled={progress !== undefined || undefined}
              onClick={() => void approve(asked)}
            >
              {progress ? strings.approving(progress.done, progress.all) : strings.approveAll}
            </button>
            <button type="button" class="quiet" onClick={() => ask(undefined)}>
              {strings.back}
            </button>
          </div>
        </div>
      ) : (
        <button type="button" class="button" onClick={() => ask(chosen)}>
          {strings.approveSelected(chosen.length)}
        </button>
      )}
    </div>
  );
}
