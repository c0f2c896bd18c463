/** Markdown, shown as plain text until the reader of it has come. Text without a mark needs none. */
import { lazily } from '../form/lazily.tsx';
import { VisibleText } from './visible-text.tsx';

const marks = /[*_`#[\]~>|!\\]|^\s*[-+\d]|https?:|\n\n/m;
const Rich = lazily(() => import('./markdown.tsx').then((all) => all.MarkdownView));

/** Read in the direction of its own language, whatever that of the page is. */
export const Plain = ({ text = '' }: { text: string | undefined }) => (
  <p class="plain" dir="auto">
    <VisibleText text={text} />
  </p>
);

export const Markdown = ({ text }: { text: string }) =>
  marks.test(text) ? <Rich text={text} /> : <Plain text={text} />;
