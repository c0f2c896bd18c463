/** The buttons of a question: those that answer, and the one that declines, apart from them. */
import type { FieldOf } from '@holdpoint/protocol';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import { OptionText } from '../fields/choice-controls.tsx';
import { controlId } from '../form/fields-view.tsx';
import { translated } from './closed-state.tsx';
import type { QuestionProps } from './request-props.ts';
import type { useAnswer } from './use-answer.ts';

interface CardActionsProps extends QuestionProps {
  /** The field whose options are buttons that answer at once. */
  oneTap: FieldOf<'select'> | undefined;
  prefix: string;
  answer: ReturnType<typeof useAnswer>;
}

export function CardActions({ interaction, oneTap, prefix, answer, strings }: CardActionsProps) {
  const { kind, submitLabel } = interaction;
  const { sending } = answer;
  const [isDeclining, decline] = useState(false);
  const declineButton = useRef<HTMLButtonElement>(null);
  // After "Back", the focus returns to the button that opened the decline form.
  const hadDeclined = useRef(false);
  useLayoutEffect(() => {
    if (hadDeclined.current && !isDeclining) declineButton.current?.focus();
    hadDeclined.current = isDeclining;
  }, [isDeclining]);
  // Next to "Deny", people would take "Decline" for the same.
  const isApproval = kind === 'approval';
  if (isDeclining) return <DeclineForm {...{ strings, prefix, isApproval, answer }} onBack={() => decline(false)} />;
  return (
    <div class={isApproval ? 'actions deciding' : 'actions'} part="actions">
      {oneTap ? (
        <PickButtons {...{ interaction, oneTap, prefix, answer, strings }} />
      ) : (
        <button type="submit" class="button primary" aria-disabled={sending !== undefined || undefined}>
          <OwnText text={sending ? strings.sending : (submitLabel ?? strings.submit)} />
        </button>
      )}
      <button type="button" class="quiet decline" ref={declineButton} onClick={() => decline(true)}>
        {isApproval ? strings.cannotDecide : strings.decline}
      </button>
    </div>
  );
}

function PickButtons({
  interaction,
  oneTap,
  prefix,
  answer,
  strings,
}: CardActionsProps & { oneTap: FieldOf<'select'> }) {
  const { name, label, options } = oneTap;
  const { sending, submit } = answer;
  const suggested = interaction.recommendations?.[name];
  return (
    <div class="picks" role="group" aria-label={label ?? name}>
      {options
        .map((given) => translated(given, strings))
        .map((option, index) => (
          <button
            key={option.value}
            id={index === 0 ? controlId(prefix, name) : undefined}
            type="button"
            class={`button ${option.variant ?? 'secondary'}`}
            aria-disabled={sending !== undefined || undefined}
            onClick={() => void submit({ [name]: option.value })}
          >
            {sending === option.value ? (
              strings.sending
            ) : (
              <OptionText
                option={option.value === suggested ? { ...option, recommended: true } : option}
                strings={strings}
              />
            )}
          </button>
        ))}
    </div>
  );
}

interface DeclineFormProps extends Pick<CardActionsProps, 'prefix' | 'answer' | 'strings'> {
  /** Declining an approval must not look as if it denied the action. */
  isApproval: boolean;
  onBack(): void;
}

function DeclineForm({ prefix, isApproval, answer, onBack, strings }: DeclineFormProps) {
  const isSending = answer.sending === 'decline';
  const [reason, setReason] = useState('');
  const box = useRef<HTMLTextAreaElement>(null);
  // The pressed button is gone, so the focus moves to the reason.
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
        {`${strings.reason} (${strings.optional})`}
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
          answer.noteReason(currentTarget.value);
        }}
      />
      <div class="actions">
        <button
          type="button"
          class={isApproval ? 'button' : 'button danger'}
          aria-disabled={isSending || undefined}
          onClick={() => void answer.decline(reason.trim() || undefined)}
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
