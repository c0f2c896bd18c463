/** Declining is apart from everything else, says what it does, and may say why. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Strings } from '../strings/strings.ts';

interface DeclineFormProps {
  prefix: string;
  /** Then it must not look as if it denied anything. */
  isApproval: boolean;
  isSending: boolean;
  onBack(): void;
  onReason(reason: string): void;
  onDecline(reason: string | undefined): void;
  strings: Strings;
}

export function DeclineForm(props: DeclineFormProps) {
  const { prefix, isApproval, isSending, onBack, onReason, onDecline, strings } = props;
  const [reason, setReason] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  // The button that was pressed is gone, so focus goes to what came in its place.
  useLayoutEffect(() => box.current?.focus(), []);
  return (
    <div
      class="declining"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onBack();
      }}
    >
      {isApproval && <p class="hint">{strings.cannotDecideAbout}</p>}
      <label class="label" for={`${prefix}-reason`}>
        {strings.declineReason}
      </label>
      <textarea
        id={`${prefix}-reason`}
        ref={box}
        class="control"
        rows={2}
        dir="auto"
        value={reason}
        onInput={({ currentTarget }) => {
          setReason(currentTarget.value);
          onReason(currentTarget.value);
        }}
      />
      <div class="actions">
        <button
          type="button"
          class={isApproval ? 'button' : 'button danger'}
          aria-disabled={isSending || undefined}
          onClick={() => onDecline(reason.trim() || undefined)}
        >
          {isSending ? strings.sending : isApproval ? strings.cannotDecideSend : strings.declineSend}
        </button>
        <button type="button" class="quiet" onClick={onBack}>
          {strings.back}
        </button>
      </div>
    </div>
  );
}
