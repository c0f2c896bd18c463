/** The form of an approval: the arguments of the action, the fields, and what "always" would cover. */
import { coverageOf, offersAlways } from '@holdpoint/protocol/answers';
import { VisibleText } from '../blocks/untrusted.tsx';
import { lazily } from '../form/lazily.tsx';
import { englishAlways } from '../strings/always-words.ts';
import { filled } from '../strings/strings.ts';
import { withArgumentRules } from '../style/arguments.ts';
import { AnswerForm } from './answer-form.tsx';
import { Arguments } from './arguments.tsx';
import { formatTime } from './closed-state.tsx';
import { DangerForm, hasDanger } from './danger-form.tsx';
import type { DetailProps, RequestCardProps } from './request-props.ts';

/** Fetched with the first question that needs a person who has signed in, because most questions take any answer. */
const AssuredForm = lazily(() => import('./assured-form.tsx').then((all) => all.AssuredForm));

const DetailedForm = (props: RequestCardProps) => <AnswerForm {...props} details={{ Arguments, Always }} />;

/** Confirms before the passkey does. */
const ConfirmedForm = (props: RequestCardProps) =>
  hasDanger(props.interaction) ? <DangerForm {...props} form={DetailedForm} /> : <DetailedForm {...props} />;

export const ApprovalForm = (props: RequestCardProps) =>
  props.interaction.assurance ? <AssuredForm {...props} form={ConfirmedForm} /> : <ConfirmedForm {...props} />;

function Always({ interaction, values, strings, locale }: DetailProps) {
  const { grant, origin } = interaction;
  if (!grant || !offersAlways(interaction)) return null;
  const { always = englishAlways } = strings;
  const { arguments: fixed, variable } = coverageOf(interaction, values);
  const listed = (names: string[]) =>
    new Intl.ListFormat(locale)
      .formatToParts(names)
      .map(({ type, value }) => (type === 'element' ? <Name key={value} text={value} /> : value));
  const lines = [
    filled(always.tool, <Name text={origin.reference ?? grant.key} />),
    Object.keys(fixed).length > 0 && filled(always.fixed, listed(Object.keys(fixed))),
    // Emphasised, because the person allows values that they have not seen.
    variable.length > 0 && <strong>{filled(always.variable, listed(variable))}</strong>,
    always.scopes[grant.scope],
    grant.forMs === undefined ? always.forever : always.until(formatTime(Date.now() + grant.forMs, locale)),
  ];
  return (
    <section class="arguments always" ref={withArgumentRules} aria-label={always.title}>
      <h3>{always.title}</h3>
      <ul>{lines.map((line, index) => line && <li key={index}>{line}</li>)}</ul>
    </section>
  );
}

/** A name from an agent, in its own text direction and with its hidden characters shown. */
const Name = ({ text }: { text: string }) => (
  <bdi>
    <code>
      <VisibleText text={text} />
    </code>
  </bdi>
);
