/** The request that is being written: its text, what it would be shown as, and what is wrong with it. */
import type { Interaction, Problem } from '@holdpoint/protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { wordsFor } from '../words-for.ts';
import { type DialectName, preview } from './asking.ts';
import { lineOf, placeOf, type ReadJson, readJson } from './json-text.ts';
import type { Wrong } from './problems.tsx';

export interface Request {
  read: ReadJson;
  /** Where the text is a JSON object. */
  body: object | undefined;
  /** As the server would have it; that of the last text that was whole, while another is being written. */
  interaction: Interaction | undefined;
  wrong: readonly Wrong[];
  /** The server has looked at this very text. */
  isLookedAt: boolean;
}

/** Long enough to finish a word. */
const settleMs = 200;

interface Look {
  of: string;
  problems: readonly Problem[];
}

export function useRequest(dialect: DialectName, text: string): Request {
  const read = useMemo(() => readJson(text), [text]);
  const body = read.ok && isObject(read.value) ? read.value : undefined;
  const [interaction, setInteraction] = useState<Interaction>();
  const [look, setLook] = useState<Look>({ of: '', problems: [] });
  const of = `${dialect} ${text}`;
  useEffect(() => {
    if (!body) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const asked = await preview(dialect, body, stop.signal);
        if (stop.signal.aborted) return;
        if (asked.ok) setInteraction(asked.interaction);
        const told = asked.ok ? [] : asked.problems;
        const problems = asked.ok || told.length > 0 ? told : [{ pointer: '', code: 'refused', message: asked.detail }];
        setLook({ of, problems });
      } catch (error) {
        if (stop.signal.aborted) return;
        setLook({ of, problems: [{ pointer: '', code: 'lost', message: wordsFor(error) }] });
      }
    }, settleMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [of]);
  const wrong = useMemo(() => wrongIn(text, read, look), [text, read, look]);
  return { read, body, interaction, wrong, isLookedAt: look.of === of };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the server said of an earlier text stays, as far as its places are still there. */
function wrongIn(text: string, read: ReadJson, { problems }: Look): readonly Wrong[] {
  if (!read.ok) {
    const { message, offset } = read;
    return [{ message, pointer: '', ...lineOf(text, offset), start: offset, end: Math.min(offset + 1, text.length) }];
  }
  if (!isObject(read.value))
    return [{ message: 'A request is a JSON object.', pointer: '', line: 1, column: 1, start: 0, end: 0 }];
  return problems.map(({ pointer, message }) => {
    const { start, end } = placeOf(read.places, pointer);
    return { message, pointer, ...lineOf(text, start), start, end };
  });
}
