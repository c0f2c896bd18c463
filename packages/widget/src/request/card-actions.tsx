/** What answers and what declines, apart from each other. */
import type { FieldOf, Interaction } from '@holdpoint/protocol';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { VisibleText } from '../blocks/visible-text.tsx';
import { controlId } from '../form/fields-view.tsx';
import type { Strings } from '../strings/strings.ts';
import { DeclineForm } from './decline-form.tsx';
import { PickButtons } from './pick-buttons.tsx';
import type { useAnswer } from './use-answer.ts';

interface CardActionsProps {
  interaction: Interaction;
  /** The field that a tap on one of its options answers. */
  oneTap: FieldOf<'select'> | undefined;
  prefix: string;
  answer: ReturnType<typeof useAnswer>;
  strings: Strings;
}

export function CardActions({ interaction, oneTap, prefix, answer, strings }: CardActionsProps) {
  const { kind, submitLabel, recommendations = {} } = interaction;
  const { sending, submit } = answer;
  const [isDeclining, decline] = useState(false);
  const declineButton = useRef<HTMLButtonElement>(null);
  // Who leaves declining is back where they came from.
  const hadDeclined = useRef(false);
  useLayoutEffect(() => {
    if (hadDeclined.current && !isDeclining) declineButton.current?.focus();
    hadDeclined.current = isDeclining;
  }, [isDeclining]);
  // Beside a way to deny, "decline" would be taken for it.
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
          <bdi>
            <VisibleText text={sending ? strings.sending : (submitLabel ?? strings.submit)} />
          </bdi>
        </button>
      )}
      <button type="button" class="quiet decline" ref={declineButton} onClick={() => decline(true)}>
        {isApproval ? strings.cannotDecide : strings.decline}
      </button>
    </div>
  );
}
