/** Text and addresses that somebody else wrote: hidden characters get names, and only web addresses become links. */
import { hiddenCharacter } from '@holdpoint/protocol/answers';
import type { ComponentChild, HTMLAttributes } from 'preact';
import { lazily } from '../form/lazily.tsx';

const Marked = lazily(() => import('./marked-text.tsx').then((all) => all.MarkedText));

/** Use it in an element with its own text direction: a `bdi`, or one with `dir="auto"`. */
export const VisibleText = (props: { text: string; isPlain?: boolean }): ComponentChild =>
  hiddenCharacter.test(props.text) ? <Marked {...props} /> : props.text;

interface OwnTextProps extends HTMLAttributes<HTMLElement> {
  text: string;
  /** The name of the element. Default: `bdi`, for a text within a line. */
  tag?: string;
}

/** A text in its own direction. */
export function OwnText({ text, tag = 'bdi', ...rest }: OwnTextProps) {
  const Tag = tag as 'bdi';
  return (
    <Tag dir="auto" {...rest}>
      <VisibleText text={text} />
    </Tag>
  );
}

export function safeUrl(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}
