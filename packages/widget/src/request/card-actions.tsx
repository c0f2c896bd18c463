/** The buttons of a question: those that answer, and the one that declines, apart from them. */
import type { FieldOf } from '@holdpoint/protocol';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import { OptionText } from '../fields/choice-controls.tsx';
import { controlId } from '../form/fields-view.tsx';
import type { Strings } from '../strings/strings.ts';
import { translated } from './closed-state.tsx';
import type { QuestionProps } from './request-props.ts';
import type { useAnswer } from './use-answer.ts';

interface CardActionsProps extends Omit<QuestionProps, 'locale'> {
  /** The field whose options are buttons that answer at once. */
  oneTap: FieldOf<'select'> | undefined;
  prefix: string;
  answer: ReturnType<typeof useAnswer>;
}

export function CardActions({ interaction, oneTap, prefix, answer, strings }: CardActionsProps) {
  const { kind, submitLabel, recommendations = {} } = interaction;
  const { sending, submit } = answer;
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
  if (isDeclining)
    return (
      <DeclineForm
        {...{ strings, prefix, isApproval }}
        isSending={sending === 'decline'}
        onBack={() => decline(false)}
        onReason={answer.noteReason}
        onDecline={(reason) => void answer.decline(reason)}
      />
    );
  return (
    <div class={isApproval ? 'actions deciding' : 'actions'} part="actions">
      {oneTap ? (
        <PickButtons
          {...{ strings, sending }}
          field={oneTap}
          id={controlId(prefix, oneTap.name)}
          suggested={recommendations[oneTap.name]}
          onPick={(value) => void submit({ [oneTap.name]: value })}
        />
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

interface PickButtonsProps {
  field: FieldOf<'select'>;
  id: string;
  suggested: unknown;
  /** The value that is being sent. That button says so. */
  sending: string | undefined;
  onPick(value: string): void;
  strings: Strings;
}

function PickButtons({ field, id, suggested, sending, onPick, strings }: PickButtonsProps) {
  return (
    <div class="picks" role="group" aria-label={field.label ?? field.name}>
      {field.options
        .map((given) => translated(given, strings))
        .map((option, index) => (
          <button
            key={option.value}
            id={index === 0 ? id : undefined}
            type="button"
            class={`button ${option.variant ?? 'secondary'}`}
            aria-disabled={sending !== undefined || undefined}
            onClick={() => onPick(option.value)}
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

interface DeclineFormProps {
  prefix: string;
  /** Declining an approval must not look as if it denied the action. */
  isApproval: boolean;
  isSending: boolean;
  onBack(): void;
  onReason(reason: string): void;
  onDecline(reason: string | undefined): void;
  strings: Strings;
}

function DeclineForm(props: DeclineFormProps) {
  const { prefix, isApproval, isSending, onBack, onReason, onDecline, strings } = props;
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
