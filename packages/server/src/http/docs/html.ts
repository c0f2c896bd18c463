/** Markup as a type of its own, which escapes text, and code blocks. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Html | string | number | false | undefined | readonly Part[];

export function html(parts: TemplateStringsArray, ...values: Part[]): Html {
  return new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

export function join(items: readonly Part[], separator: Part): Part[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

function render(value: Part): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'object' ? value.map(render).join('') : escapeHtml(String(value));
}

/** The start of every page of the server. */
export const pageHead = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">`;

/** Words between backticks become code; everything else is plain text. */
export function prose(text: string): Part[] {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));
}

export function codeView(caption: string, code: Part): Html {
  return html`<figure class="code"><figcaption>${caption}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;
}

/** Code that opens when the reader wants it. */
export function foldedView(caption: string, code: Part): Html {
  return html`<details class="code"><summary>${caption}</summary><pre tabindex="0"><code>${code}</code></pre></details>`;
}

/** Fits next to the text on a wide screen. */
export const width = 56;

/** Formats JSON as a person would: on one line if it fits, otherwise one member per line. */
export function layOut(value: unknown, max = width, indent = '', before = 0): string {
  const flat = spaced(value);
  if (typeof value !== 'object' || value === null || before + flat.length <= max) return flat;
  const deeper = `${indent}  `;
  const isList = Array.isArray(value);
  const members = Object.entries(value).map(([key, inner]) => {
    const head = deeper + (isList ? '' : `${JSON.stringify(key)}: `);
    return head + layOut(inner, max, deeper, head.length);
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

export const token = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\d[\d.eE+-]*|true|false|null)/g;

export const jsonView = (value: unknown): Part => highlight(layOut(value));

export function highlight(text: string): Part[] {
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, string, colon, word] = match;
    parts.push(text.slice(end, match.index));
    if (string === undefined) parts.push(html`<span class="num">${word}</span>`);
    else parts.push(html`<span class="${colon ? 'key' : 'str'}">${string}</span>`, colon);
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
