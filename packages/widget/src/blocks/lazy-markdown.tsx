/** Markdown, shown as plain text until the reader of it has come. Text without a mark needs none. */
import { lazily } from '../form/lazily.tsx';

const marks = /[*_`#[\]~>|!\\]|^\s*[-+\d]|https?:|\n\n/m;
const Rich = lazily(() => import('./markdown.tsx').then((all) => all.MarkdownView));

export const Markdown = ({ text }: { text: string }) =>
  marks.test(text) ? <Rich text={text} /> : <p class="plain">{text}</p>;
