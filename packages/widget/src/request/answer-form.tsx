/** The form of a pending question: its text and deadline, its fields or buttons, and a way to decline. */
import type { Interaction } from '@holdpoint/protocol';
import { type Problem, pickField } from '@holdpoint/protocol/answers';
import type { FunctionComponent } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { controlId, FieldsView } from '../form/fields-view.tsx';
import { nameOf } from '../form/form-state.ts';
import { lazily } from '../form/lazily.tsx';
import { CardActions } from './card-actions.tsx';
import { Prompt } from './prompt.tsx';
import type { DetailProps, RequestCardProps } from './request-props.ts';
import { useAnswer } from './use-answer.ts';

const PayloadForm = lazily(() => import('../payload/payload-form.tsx').then((all) => all.PayloadForm));

interface AnswerFormProps extends RequestCardProps {
  /** Shown if an option of the question allows an action. */
  details?: Record<'Arguments' | 'Always', FunctionComponent<DetailProps>>;
}

export function AnswerForm({ details, ...props }: AnswerFormProps) {
  const { interaction, draft, isChanged, strings, locale, headingLevel = 2 } = props;
  const { id, fields, kind, title, payloadSchema, recommendations = {} } = interaction;
  const answer = useAnswer(props);
  const { values, problems, attempt, failure, uploads } = answer;
  const prefix = `r-${id}`;
  const pick = pickField(interaction);
  const oneTap = pick?.type === 'select' && pick.display === 'buttons' ? pick : undefined;
  const shown = oneTap ? fields.filter((field) => field !== oneTap) : fields;
  const byPlace = new Map(problems.map((problem) => [nameOf(problem) ?? problem.pointer, answer.describe(problem)]));
  const lines: SummaryLine[] = problems.map((problem) => ({
    ...{ message: answer.describe(problem), controlId: controlOf(problem, interaction, prefix) },
  }));
  if (failure) lines.push({ message: failure });

  return (
    <form
      class={`card kind-${kind}`}
      part="card"
      aria-labelledby={`${prefix}-title`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!oneTap) void answer.submit();
      }}
    >
      <Prompt {...{ interaction, strings, locale, headingLevel }} titleId={`${prefix}-title`} />
      {isChanged && lines.length === 0 && (
        <p class="changed" role="alert">
          {strings.questionChanged}
        </p>
      )}
      <ErrorSummary {...{ lines, attempt, strings }} />
      {details && <details.Arguments {...{ interaction, values, strings, locale }} />}
      <FieldsView
        {...{ values, recommendations, strings, uploads }}
        fields={shown}
        onChange={answer.change}
        problems={byPlace}
        idPrefix={prefix}
      />
      {payloadSchema && (
        <PayloadForm
          {...{ strings, uploads }}
          schema={payloadSchema}
          name={title}
          draft={draft?.payload}
          suggested={fields.length === 0 ? recommendations : undefined}
          problems={byPlace}
          idPrefix={prefix}
          onEntered={answer.takePayload}
        />
      )}
      {details && <details.Always {...{ interaction, values, strings, locale }} />}
      <CardActions {...{ interaction, oneTap, prefix, strings, answer }} />
    </form>
  );
}

/** The id of the control that a problem is about. For a part of the payload it may be the control around it. */
function controlOf(problem: Problem, { fields, payloadSchema }: Interaction, prefix: string): string | undefined {
  if (payloadSchema && problem.pointer.startsWith('/payload')) return prefix + problem.pointer;
  const name = nameOf(problem);
  const isShown = name !== undefined && fields.some((field) => 'name' in field && field.name === name);
  return isShown ? controlId(prefix, name) : undefined;
}

interface SummaryLine {
  message: string;
  /** The id of the control, if the problem is about a field. */
  controlId?: string | undefined;
}

interface ErrorSummaryProps extends Pick<RequestCardProps, 'strings'> {
  lines: readonly SummaryLine[];
  /** Changes with every try, so that the focus comes back even if the lines are the same. */
  attempt: number;
}

/** Lists the problems on top of the form, each with a link to its field. Gets the focus when an answer is rejected. */
function ErrorSummary({ lines, attempt, strings }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (lines.length > 0) box.current?.focus();
  }, [attempt]);
  if (lines.length === 0) return null;
  // An anchor does not scroll within a shadow root, so the focus is moved by hand.
  const goTo = (controlId: string) => (event: Event) => {
    event.preventDefault();
    const root = box.current?.getRootNode() as ShadowRoot | undefined;
    // A part without a control of its own leads to the part around it.
    let id = controlId;
    while (id.includes('/') && !root?.getElementById(id)) id = id.slice(0, id.lastIndexOf('/'));
    const control = root?.getElementById(id);
    control?.scrollIntoView({ block: 'center' });
    control?.focus();
  };
  return (
    <div class="summary" role="alert" tabIndex={-1} ref={box}>
      <h3>{strings.thereIsAProblem}</h3>
      <ul>
        {lines.map(({ message, controlId }) => (
          <li key={`${controlId} ${message}`}>
            {controlId ? (
              <a href={`#${controlId}`} onClick={goTo(controlId)}>
                {message}
              </a>
            ) : (
              message
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
