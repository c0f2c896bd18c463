/**
 * A JSON parser for text that is being edited: the value, the position of each part, and the position of a syntax
 * error.
 */
import { isObject, pointer, tokensOf } from '@holdpoint/protocol';

export interface Span {
  /** The range of the value, or of a key with its value. */
  start: number;
  end: number;
}

export type ReadJson =
  | { ok: true; value: unknown; positions: ReadonlyMap<string, Span> }
  | { ok: false; message: string; offset: number };

/** Deeper than any valid request. */
const maxDepth = 200;

class Broken extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

export function readJson(text: string): ReadJson {
  const reader = new Reader(text);
  try {
    return { ok: true, value: reader.whole(), positions: reader.positions };
  } catch (error) {
    if (error instanceof Broken) return { ok: false, message: error.message, offset: error.offset };
    throw error;
  }
}

class Reader {
  readonly positions = new Map<string, Span>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): unknown {
    const value = this.#value('', 0);
    this.#space();
    if (this.#at < this.#text.length) throw new Broken('Unexpected text after the end of the request.', this.#at);
    return value;
  }

  #value(base: string, depth: number): unknown {
    if (depth > maxDepth) throw new Broken('Too deeply nested.', this.#at);
    this.#space();
    const start = this.#at;
    const value = this.#any(base, depth);
    // The position of a key with its value is set afterwards and is the larger one.
    this.positions.set(base, { start, end: this.#at });
    return value;
  }

  #any(base: string, depth: number): unknown {
    const next = this.#text[this.#at];
    if (next === '{') return this.#object(base, depth);
    if (next === '[') return this.#array(base, depth);
    if (next === '"') return this.#string();
    const word = /^-?\w[\w.+-]*/.exec(this.#text.slice(this.#at, this.#at + 100))?.[0];
    if (word === undefined) {
      const found = next === undefined ? 'the end of the text' : JSON.stringify(next);
      throw new Broken(`Expected a value, but found ${found}.`, this.#at);
    }
    const known = { true: true, false: false, null: null }[word];
    if (known === undefined && !/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word))
      throw new Broken(`${JSON.stringify(word)} is not a value. Write text in double quotes.`, this.#at);
    this.#at += word.length;
    return known === undefined ? Number(word) : known;
  }

  #object(base: string, depth: number): unknown {
    const entries: [string, unknown][] = [];
    const seen = new Set<string>();
    this.#list('}', () => {
      const start = this.#at;
      if (this.#text[this.#at] !== '"') throw new Broken('Expected a key in double quotes.', this.#at);
      const key = this.#string();
      if (seen.has(key)) throw new Broken(`The key ${JSON.stringify(key)} appears twice.`, start);
      seen.add(key);
      this.#space();
      if (!this.#take(':')) throw new Broken('Expected a colon after the key.', this.#at);
      const own = pointer(base, key);
      entries.push([key, this.#value(own, depth + 1)]);
      this.positions.set(own, { start, end: this.#at });
    });
    return Object.fromEntries(entries);
  }

  #array(base: string, depth: number): unknown[] {
    const items: unknown[] = [];
    this.#list(']', () => items.push(this.#value(`${base}/${items.length}`, depth + 1)));
    return items;
  }

  #list(closing: '}' | ']', item: () => void): void {
    const opened = this.#at;
    this.#at += 1;
    this.#space();
    if (this.#take(closing)) return;
    do {
      this.#space();
      const comma = this.#text.lastIndexOf(',', this.#at);
      if (this.#text[this.#at] === closing) throw new Broken('Expected a value after the comma.', comma);
      item();
      this.#space();
    } while (this.#take(','));
    if (this.#take(closing)) return;
    if (this.#at === this.#text.length) throw new Broken(`Missing ${closing} at the end.`, opened);
    throw new Broken(`Expected a comma or ${closing} before this.`, this.#at);
  }

  /** Moves over the character, if it comes next. */
  #take(character: string): boolean {
    const isNext = this.#text[this.#at] === character;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #string(): string {
    const [found] = /^"(?:[^"\\\n]|\\.)*"/.exec(this.#text.slice(this.#at)) ?? [];
    if (found === undefined) throw new Broken('Missing the closing double quote.', this.#at);
    try {
      const value = JSON.parse(found) as string;
      this.#at += found.length;
      return value;
    } catch {
      throw new Broken('A character in this text must be escaped.', this.#at);
    }
  }

  #space(): void {
    while (/[ \t\r\n]/.test(this.#text[this.#at] ?? 'x')) this.#at += 1;
  }
}

export function lineOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - (before.lastIndexOf('\n') + 1) + 1 };
}

/** The position of a pointer, or of the nearest parent that exists. */
export function positionOf(positions: ReadonlyMap<string, Span>, pointer: string): Span {
  for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = positions.get(at);
    if (found) return found;
    if (at === '') return { start: 0, end: 0 };
  }
}

/** The pointer of the innermost object around an offset. */
export function objectAt(positions: ReadonlyMap<string, Span>, value: unknown, offset: number): string {
  let found = '';
  for (const [pointer, { start, end }] of positions)
    if (start <= offset && offset <= end && pointer.length > found.length && isObject(valueAt(value, pointer)))
      found = pointer;
  return found;
}

export function valueAt(value: unknown, pointer: string): unknown {
  let part = value;
  for (const token of tokensOf(pointer)) {
    if (typeof part !== 'object' || part === null) return undefined;
    part = (part as Record<string, unknown>)[token];
  }
  return part;
}

/** Returns a copy with one more key in the object at the pointer. */
export function withKey(value: unknown, pointer: string, key: string, added: unknown): unknown {
  const copy = structuredClone(value);
  const object = valueAt(copy, pointer);
  if (isObject(object)) object[key] = added;
  return copy;
}
