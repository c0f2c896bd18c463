/** One question: who asks, what, until when; the form or the buttons; and a way to decline. */
import type { Interaction } from '@holdpoint/protocol';
import { type Problem, pickField } from '@holdpoint/protocol/answers';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import { describeProblem } from '../form/describe-problem.ts';
import { ErrorSummary, type SummaryLine } from '../form/error-summary.tsx';
import type { Uploads } from '../form/field-props.ts';
import { controlId, FieldsView } from '../form/fields-view.tsx';
import { answerOf, initialValues, nameOf, problemsOf, type Values } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';
import { Arguments } from './arguments.tsx';
import { DeclineForm } from './decline-form.tsx';
import { PickButtons } from './pick-buttons.tsx';
import { Prompt } from './prompt.tsx';

/** What came of sending: nothing wrong, or what. */
export type Sent = { ok: true } | { ok: false; problems: readonly Problem[]; message: string };

export interface RequestActions {
  answer(interaction: Interaction, values: Values): Promise<Sent>;
  decline(interaction: Interaction, reason: string | undefined): Promise<Sent>;
  uploads(interaction: Interaction): Uploads;
  /** Whatever is entered, soon after. */
  saveDraft(interaction: Interaction, values: Values): void;
}

export interface RequestCardProps {
  interaction: Interaction;
  draft: Values | undefined;
  actions: RequestActions;
  strings: Strings;
  locale: string;
  headingLevel?: 2 | 3;
}

export function RequestCard({ interaction, draft, actions, strings, locale, headingLevel = 2 }: RequestCardProps) {
  const { id, fields, kind, recommendations = {} } = interaction;
  const [values, setValues] = useState<Values>(() => ({ ...initialValues(fields, recommendations), ...draft }));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState<string>();
  const [isDeclining, decline] = useState(false);
  const isBusy = useRef(false);
  const prefix = `r-${id}`;

  // The same function and the same uploads all the time, so that a row of which nothing changed is not drawn again.
  const latest = useRef(values);
  latest.current = values;
  const change = useCallback((name: string, value: unknown) => {
    const after = { ...latest.current, [name]: value };
    latest.current = after;
    setValues(after);
    setProblems((before) => before.filter((problem) => nameOf(problem) !== name));
    actions.saveDraft(interaction, answerOf(fields, after));
  }, []);
  const uploads = useMemo(() => actions.uploads(interaction), []);

  /** Never twice at once; whatever goes wrong, what was entered stays. */
  async function send(what: string, sent: () => Promise<Sent>): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(what);
    setFailure(undefined);
    const outcome = await sent().catch((): Sent => ({ ok: false, problems: [], message: strings.sendFailed }));
    isBusy.current = false;
    setSending(undefined);
    if (outcome.ok) return;
    setProblems(outcome.problems);
    setAttempt((count) => count + 1);
    if (outcome.problems.length === 0) setFailure(outcome.message);
  }

  const submit = (picked: Values = {}) =>
    send(String(Object.values(picked)[0] ?? 'form'), async () => {
      const all = { ...values, ...picked };
      const found = await problemsOf(fields, all);
      if (found.length > 0) return { ok: false, problems: found, message: '' };
      return actions.answer(interaction, answerOf(fields, all));
    });

  const pick = pickField(interaction);
  const isOneTap = pick?.type === 'select' && pick.display === 'buttons';
  const shown = isOneTap ? fields.filter((field) => field !== pick) : fields;
  const said = (problem: Problem) => describeProblem(problem, fields, strings);
  const byField = new Map(problems.map((problem) => [nameOf(problem) ?? '', said(problem)]));
  const lines: SummaryLine[] = problems.map((problem) => {
    const name = nameOf(problem);
    const isShown = name !== undefined && fields.some((field) => 'name' in field && field.name === name);
    return { message: said(problem), ...(isShown ? { controlId: controlId(prefix, name) } : {}) };
  });
  if (failure) lines.push({ message: failure });

  return (
    <form
      class={`card kind-${kind}`}
      part="card"
      aria-labelledby={`${prefix}-title`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOneTap) void submit();
      }}
    >
      <Prompt {...{ interaction, strings, locale, headingLevel }} titleId={`${prefix}-title`} />
      <ErrorSummary {...{ lines, attempt, strings }} />
      {kind === 'approval' && <Arguments {...{ interaction, strings }} />}
      <FieldsView
        {...{ values, recommendations, strings, uploads }}
        fields={shown}
        onChange={change}
        problems={byField}
        idPrefix={prefix}
      />
      {isDeclining ? (
        <DeclineForm
          {...{ strings, prefix }}
          isSending={sending === 'decline'}
          onBack={() => decline(false)}
          onDecline={(reason) => void send('decline', () => actions.decline(interaction, reason))}
        />
      ) : (
        <div class="actions" part="actions">
          {isOneTap ? (
            <PickButtons
              {...{ strings, sending }}
              field={pick}
              id={controlId(prefix, pick.name)}
              suggested={recommendations[pick.name]}
              onPick={(value) => void submit({ [pick.name]: value })}
            />
          ) : (
            <button type="submit" class="button primary" aria-disabled={sending !== undefined || undefined}>
              {sending ? strings.sending : (interaction.submitLabel ?? strings.submit)}
            </button>
          )}
          <button type="button" class="quiet decline" onClick={() => decline(true)}>
            {strings.decline}
          </button>
        </div>
      )}
    </form>
  );
}
