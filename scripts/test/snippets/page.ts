/** Code blocks of the documents. A page must run each block, or say before it why the tests do not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';

interface Snippet {
  language: string;
  code: string;
  /** For messages: file and line. */
  where: string;
  /** From a line "*Not run by the tests: …*" before the block. */
  reason?: string;
}

const reasonOf = /^\*Not run by the tests: (.+)\*$/;
/** A block without a language shows output, a request or a drawing. */
const fence = /^ {0,3}```(\w+)/;

function snippetsOf(file: string): Snippet[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const found: Snippet[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (!/^ {0,3}```/.test(lines[at] ?? '')) continue;
    const language = fence.exec(lines[at] ?? '')?.[1];
    const end = lines.findIndex((line, index) => index > at && /^ {0,3}```$/.test(line));
    if (end < 0) throw new Error(`${file}:${at + 1}: the block does not end`);
    const before = lines.slice(0, at).findLast((line) => line.trim() !== '') ?? '';
    const reason = reasonOf.exec(before)?.[1];
    if (language !== undefined)
      found.push({
        language,
        code: lines.slice(at + 1, end).join('\n'),
        where: `${file}:${at + 1}`,
        ...(reason !== undefined && { reason }),
      });
    at = end;
  }
  return found;
}

/** One page, read once: `take` gives a block and notes that it was run. */
export class Page {
  readonly #snippets: Snippet[];
  readonly #taken = new Set<Snippet>();
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    this.#snippets = snippetsOf(file);
  }

  /** The first block of this language that contains the text. */
  take(language: string, containing: string): string {
    const snippet = this.#snippets.find((each) => each.language === language && each.code.includes(containing));
    if (!snippet) throw new Error(`${this.#file} has no ${language} block with ${JSON.stringify(containing)}`);
    this.#taken.add(snippet);
    return snippet.code;
  }

  takeAll(language: string): string[] {
    const all = this.#snippets.filter((each) => each.language === language && each.reason === undefined);
    for (const snippet of all) this.#taken.add(snippet);
    return all.map(({ code }) => code);
  }

  /** Blocks that were neither taken nor have a reason. */
  rest(): string[] {
    return this.#snippets
      .filter((each) => !this.#taken.has(each) && each.reason === undefined)
      .map(({ where, language }) => `${where} (${language})`);
  }
}

/** Every page with snippets. */
export const pages = (): string[] =>
  [
    'README.md',
    'CONTRIBUTING.md',
    ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`),
    ...readdirSync('packages').map((name) => `packages/${name}/README.md`),
    'examples/README.md',
    ...readdirSync('examples').map((name) => `examples/${name}/README.md`),
  ].filter((file) => existsSync(file));
