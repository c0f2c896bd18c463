/** Markup as a type of its own. Text that is put into markup is escaped. */
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

/** Words between backticks become code; everything else is plain text. */
export function prose(text: string): Part[] {
  return text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece));
}
