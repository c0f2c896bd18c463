/** The question itself: its title, text, content and deadline. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Blocks, Markdown } from '../blocks/blocks.tsx';
import { OwnText } from '../blocks/untrusted.tsx';
import type { Strings } from '../strings/strings.ts';
import type { LocalQuestionProps } from './request-props.ts';

interface HeaderProps extends Pick<LocalQuestionProps, 'interaction'> {
  titleId?: string;
  headingLevel: 2 | 3;
  children?: ComponentChildren;
}

export function PromptHeader({ interaction, titleId, headingLevel, children }: HeaderProps) {
  return (
    <header class="prompt">
      <OwnText tag={`h${headingLevel}`} class="title" part="title" id={titleId} text={interaction.title} />
      {children}
    </header>
  );
}

export function Prompt({ strings, locale, ...rest }: LocalQuestionProps & HeaderProps) {
  const { body, content, deadline } = rest.interaction;
  return (
    <PromptHeader {...rest}>
      {deadline && <TimeLeft until={deadline.at} outcome={deadline.outcome} {...{ strings, locale }} />}
      {body && <Markdown text={body} />}
      {content && <Blocks blocks={content} />}
    </PromptHeader>
  );
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** A deadline this near is shown as urgent. */
const soonMs = 10 * 60_000;

interface TimeLeftProps extends Omit<LocalQuestionProps, 'interaction'> {
  until: string;
  /** Says what happens at the deadline, if there is room for it. */
  outcome?: keyof Strings['afterwards'];
}

export function TimeLeft({ until, outcome, strings, locale }: TimeLeftProps) {
  const [now, setNow] = useState(Date.now);
  const left = Date.parse(until) - now;
  useEffect(() => {
    // Every second only while seconds are shown.
    const timer = setInterval(() => setNow(Date.now()), left < 120_000 ? 1_000 : 15_000);
    return () => clearInterval(timer);
  }, [left < 120_000]);
  if (left <= 0) return <p class="time-left over">{strings.expired}</p>;
  const [unit, ms] = units.find(([, size]) => left >= size * 2) ?? units[3];
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(Math.ceil(left / ms), unit);
  const exact = new Date(until).toLocaleString(locale);
  return (
    <p class={left < soonMs ? 'time-left soon' : 'time-left'}>
      <time dateTime={until} title={exact}>
        {words}
      </time>
      {outcome && <span class="hint">{strings.afterwards[outcome]}</span>}
    </p>
  );
}
