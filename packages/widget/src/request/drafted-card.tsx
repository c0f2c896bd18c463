/** Shows a question after its draft was loaded, and its outcome after it was closed. */
import { defined, type Interaction } from '@holdpoint/protocol';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Entered } from '../form/form-state.ts';
import { ClosedState } from './closed-state.tsx';
import type { OutcomeCardProps } from './outcome-card.tsx';
import { RequestCard } from './request-card.tsx';
import type { AnsweringProps } from './request-props.ts';
import { useOutcome } from './use-outcome.ts';

interface DraftedCardProps extends AnsweringProps {
  interaction: Interaction;
  /** In a list, and no longer pending. `interaction` is then the last pending version. */
  isGone?: boolean;
  /** A closed card keeps its height, so that no control moves under a resting pointer. */
  isStill?: boolean;
  /** Called with true when the person begins to answer, and with false when no unaccepted input of theirs is left. */
  onBegun?(isBegun: boolean): void;
  headingLevel?: 2 | 3;
}

/** Fetched only when it is needed, because most people are not overtaken by somebody else. */
let OutcomeCard: FunctionComponent<OutcomeCardProps> | undefined;

/** Rejects if the script does not load. The form then stays, with the person's input, and the script is fetched again. */
async function fetchOutcomeCard(): Promise<void> {
  ({ OutcomeCard } = await import('./outcome-card.tsx'));
}

export function DraftedCard(props: DraftedCardProps) {
  const { interaction, isGone = false, isStill = false, onBegun, actions, headingLevel = 3 } = props;
  const { drafts, strings, locale } = props;
  const isClosed = isGone || interaction.status !== 'pending';
  const answering = useOutcome({ interaction, isClosed, actions, onBegun, beforeLost: fetchOutcomeCard });
  const { outcome, hasBegun } = answering;
  const place = useRef<HTMLDivElement>(null);
  const height = useRef<number>(undefined);
  // Read the height while the form is still in the page: it is until this render is done.
  if (outcome) height.current ??= place.current?.offsetHeight ?? 0;
  useLayoutEffect(() => {
    if (outcome) place.current?.style.setProperty('min-height', isStill ? `${height.current}px` : '0');
  }, [isStill, outcome]);

  const closed = outcome?.interaction ?? (interaction.status !== 'pending' && !hasBegun() ? interaction : undefined);
  const to = outcome && (isGone || hasBegun()) ? { responderId: outcome.responderId, locale } : undefined;
  return (
    <div ref={place}>
      {outcome?.begun && OutcomeCard ? (
        <OutcomeCard
          {...outcome}
          {...{ headingLevel, strings, locale }}
          begun={outcome.begun}
          onDismiss={() => {
            drafts.forget(interaction.id);
            answering.dismiss();
          }}
        />
      ) : closed ? (
        <ClosedState interaction={closed} strings={strings} {...defined({ to })} />
      ) : (
        <OpenCard {...props} {...{ answering, headingLevel }} />
      )}
    </div>
  );
}

interface OpenCardProps extends DraftedCardProps {
  answering: ReturnType<typeof useOutcome>;
  headingLevel: 2 | 3;
}

function OpenCard({ interaction, drafts, answering, headingLevel, strings, locale }: OpenCardProps) {
  // The digest that was first shown. A question from before digests existed gets one with the first vote.
  const began = useRef(interaction.digest);
  began.current ??= interaction.digest;
  const isChanged = began.current !== interaction.digest;
  // Votes and new titles keep the form. Changed fields start a new form with the entered values.
  const form = useMemo(() => JSON.stringify([interaction.fields, interaction.payloadSchema]), [interaction]);
  const [draft, setDraft] = useState<{ form: string; entered: Entered | undefined }>();
  useLayoutEffect(() => {
    let isGone = false;
    void drafts.load(interaction).then((entered) => {
      if (isGone) return;
      // Includes values that no draft has: a secret stays as long as the page.
      const values = { ...answering.entered(), ...entered?.values };
      if (entered) answering.begin({ ...entered, values });
      setDraft({ form, entered: { ...entered, values } });
    });
    return () => {
      isGone = true;
    };
  }, [form]);
  if (draft?.form !== form) return <div class="placeholder" aria-hidden="true" />;
  return (
    <RequestCard
      key={form}
      {...{ interaction, isChanged, headingLevel, strings, locale }}
      actions={answering.watched}
      draft={draft.entered}
    />
  );
}
