/** Approves several requests: lists them for confirmation, sends them one by one, and keeps those that fail. */
import type { Interaction } from '@holdpoint/protocol';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import { ClosedState } from '../request/closed-state.tsx';
import type { AnsweringProps } from '../request/request-props.ts';
import { approvalOf } from './approval-of.ts';

interface BulkApprovalProps extends Omit<AnsweringProps, 'drafts'> {
  chosen: readonly Interaction[];
  onDone(): void;
}

interface Failed {
  /** The request as it was confirmed. */
  named: Interaction;
  /** The current request, if somebody else decided first. */
  now: Interaction | undefined;
  message: string | undefined;
}

export function BulkApproval({ chosen, actions, onDone, strings, locale }: BulkApprovalProps) {
  // The versions in the list: only requests that the person has read are approved.
  const [asked, ask] = useState<readonly Interaction[]>();
  const [progress, setProgress] = useState<{ done: number; all: number }>();
  const [failed, setFailed] = useState<readonly Failed[]>([]);
  const question = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (asked) question.current?.focus();
  }, [asked]);

  async function approve(all: readonly Interaction[]): Promise<void> {
    if (progress) return;
    const faults: Failed[] = [];
    for (const [index, interaction] of all.entries()) {
      setProgress({ done: index + 1, all: all.length });
      const values = approvalOf(interaction);
      const send = async () => (values ? actions.answer(interaction, values).catch(() => undefined) : undefined);
      let outcome = await send();
      // The server may have accepted the approval although its response was lost. The same key tells which.
      if (outcome?.ok === false && outcome.isUnsure) outcome = await send();
      if (!outcome?.ok) faults.push({ named: interaction, now: outcome?.now, message: outcome?.message });
    }
    setProgress(undefined);
    setFailed(faults);
    ask(undefined);
    if (faults.length === 0) onDone();
  }

  if (chosen.length === 0 && !asked && failed.length === 0) return null;
  return (
    <div class="bulk">
      {failed.length > 0 && (
        <div class="bulk-failed">
          <div role="alert">
            <p class="problem">{strings.someFailed(failed.length)}</p>
            <ul>
              {failed.map(({ named, now, message }) => (
                <li key={named.id}>
                  <OwnText text={named.title} />
                  {now && now.status !== 'pending' ? (
                    <ClosedState {...{ strings }} interaction={now} to={{ responderId: undefined, locale }} />
                  ) : (
                    <p class="hint">{message}</p>
                  )}
                </li>
              ))}
            </ul>
          </div>
          <button type="button" class="button" onClick={() => setFailed([])}>
            {strings.dismiss}
          </button>
        </div>
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
              <OwnText key={id} tag="li" text={title} />
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
        chosen.length > 0 && (
          <button type="button" class="button" onClick={() => ask(chosen)}>
            {strings.approveSelected(chosen.length)}
          </button>
        )
      )}
    </div>
  );
}
