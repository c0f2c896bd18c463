/** The question itself: who asks, the title, the text, and until when. */
import type { Interaction } from '@holdpoint/protocol';
import { Blocks } from '../blocks/blocks.tsx';
import { Markdown } from '../blocks/lazy-markdown.tsx';
import { VisibleText } from '../blocks/visible-text.tsx';
import type { Strings } from '../strings/strings.ts';
import { TimeLeft } from './time-left.tsx';

interface PromptProps {
  interaction: Interaction;
  titleId: string;
  headingLevel: 2 | 3;
  strings: Strings;
  locale: string;
}

export function Prompt({ interaction, titleId, headingLevel, strings, locale }: PromptProps) {
  const { title, body, content, deadline } = interaction;
  const Heading = `h${headingLevel}` as 'h2';
  return (
    <header class="prompt">
      <Heading class="title" part="title" id={titleId} dir="auto">
        <VisibleText text={title} />
      </Heading>
      {deadline && <TimeLeft until={deadline.at} outcome={deadline.outcome} {...{ strings, locale }} />}
      {body && <Markdown text={body} />}
      {content && <Blocks blocks={content} />}
    </header>
  );
}
