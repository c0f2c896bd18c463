/** The request in the editor: its text, its preview, and its problems. */
import type { Interaction, Problem } from '@holdpoint/protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { type DialectName, preview } from './asking.ts';
import { lineOf, placeOf, type ReadJson, readJson } from './json-text.ts';

/** A problem of the request, with its place in the text. */
export interface Wrong {
  message: string;
  pointer: string;
  line: number;
  column: number;
  start: number;
  end: number;
}

export interface Request {
  read: ReadJson;
  /** Set if the text is a JSON object. */
  body: object | undefined;
  /** The preview. While the text is invalid, that of the last valid text. */
  interaction: Interaction | undefined;
  wrong: readonly Wrong[];
  /** True once the server has checked this exact text. */
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

/** Problems of an earlier text stay as long as their positions exist. */
function wrongIn(text: string, read: ReadJson, { problems }: Look): readonly Wrong[] {
  if (!read.ok) {
    const { message, offset } = read;
    return [{ message, pointer: '', ...lineOf(text, offset), start: offset, end: Math.min(offset + 1, text.length) }];
  }
  if (!isObject(read.value))
    return [{ message: 'A request must be a JSON object.', pointer: '', line: 1, column: 1, start: 0, end: 0 }];
  return problems.map(({ pointer, message }) => {
    const { start, end } = placeOf(read.places, pointer);
    return { message, pointer, ...lineOf(text, start), start, end };
  });
}
