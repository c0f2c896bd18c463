/**
 * A Markdown lexer with a bound on its work. The lexer of marked is quadratic in many ways: 100,000 characters of `__a`
 * took 17 s, a table of 1,000 columns and 4,000 short rows 5 s. So this one counts its work before it does it, and
 * keeps text beyond the bound as it was written.
 */
import { Lexer, type MarkedOptions, type Token, type Tokens, type TokensList } from 'marked';

/**
 * Enough for 100,000 characters in paragraphs of 500, or for one paragraph of 7,000. The worst texts take 4 to 10 ns
 * per unit.
 */
const mostWork = 50_000_000;
/** Work for one more list item or quote, however short. */
const blockWork = 1_000;
/** Work per character below a possible table head: three rules read it and one splits it into rows, in 25 ns. */
const tableWork = 8;
/** Work for a task per cell or item before it: 8,000 tasks took 0.5 s. */
const taskWork = 4;

/** Depth of lists in lists in quotes. Nobody reads deeper texts, but a hostile text could be deeper. */
export const maxDepth = 16;

export class BoundedLexer extends Lexer {
  #left = mostWork;
  #depth = 0;

  constructor(options: MarkedOptions) {
    super({ ...options });
    this.options.extensions = { renderers: {}, childTokens: {}, block: [(src) => this.#keepCostly(src)] };
  }

  /** The lexer reads a list item or a quote line by line, each time up to the end of its paragraph. */
  override blockTokens(src: string, tokens?: Token[], isClipped?: boolean): Token[];
  override blockTokens(src: string, tokens?: TokensList, isClipped?: boolean): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], isClipped?: boolean): Token[] {
    const work = this.#depth > 0 ? blockWork + lineWork(src) : 0;
    if (this.#depth > maxDepth || !this.#mayDo(work)) return keep(src, tokens);
    this.#depth++;
    const read = super.blockTokens(src, tokens, isClipped);
    this.#depth--;
    return read;
  }

  /** For each table cell and list item the lexer looks through those before it. */
  override inline(src: string, tokens: Token[] = []): Token[] {
    const perText = startsTask.test(src) ? taskWork : 1;
    if (!this.#mayDo(100 + perText * this.inlineQueue.length)) throw new Error('There is too much to read.');
    return super.inline(src, tokens);
  }

  /** For each mark the lexer may look for its end up to the end of the paragraph. */
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    return this.#mayDo(src.length ** 2) ? super.inlineTokens(src, tokens) : keep(src, tokens);
  }

  /** The lexer calls this before each block. Returns the text up to the next empty line if reading it costs too much. */
  #keepCostly(src: string): Tokens.Generic | undefined {
    if (src.startsWith('\n') || this.#mayDo(startWork(src))) return;
    return { type: 'kept', raw: src.slice(0, reach(src, emptyLine)) };
  }

  /**
   * Does not count work that is not done: after a long paragraph that is kept as it is, a short one is still formatted.
   */
  #mayDo(work: number): boolean {
    if (work > this.#left) return false;
    this.#left -= work;
    return true;
  }
}

const startsQuote = /^ {0,3}>/;
const startsTask = /^\[[ xX]\]/;
const startsTable = /^[^\n]*\n {0,3}[|:-][|: -]*(?:\n|$)/;
const emptyLine = /\n[ \t]*\n/;
/** The lines that end a quote. */
const quoteEnd = /\n(?:[ \t]*\n| {0,3}(?:#{1,6}\s|`{3,}[^`\n]*\n|~{3}|(?:[*+-]|1[.)]) ))/;
/**
 * The lines beyond which no rule looks. The rules for tables and underlined headings look up to here and may then take
 * two lines only: 25,000 underlined headings took 3 s.
 */
const blockEnd = new RegExp(`${quoteEnd.source}|\\n {0,3}>`);
/** A line without a mark that continues a quote. */
const unmarked = /\n {0,3}>[^\n]*\n(?! {0,3}>)/g;

const lineWork = (src: string): number =>
  src.split(emptyLine).reduce((sum, paragraph) => sum + paragraph.length * paragraph.split('\n').length, 0);

function reach(src: string, end: RegExp): number {
  const found = src.search(end);
  return found < 0 ? src.length : found;
}

function startWork(src: string): number {
  if (startsQuote.test(src)) return quoteWork(src);
  return reach(src, blockEnd) * (startsTable.test(src) ? tableWork : 1);
}

/** The lexer copies the whole quote for each unmarked line after a marked one. */
function quoteWork(src: string): number {
  const quote = src.slice(0, reach(src, quoteEnd));
  return quote.length * (1 + (quote.match(unmarked)?.length ?? 0));
}

function keep(raw: string, tokens: Token[]): Token[] {
  tokens.push({ type: 'kept', raw });
  return tokens;
}
