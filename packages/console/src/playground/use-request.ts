/** The request in the editor: its text, its preview, and its problems. */
import { type Interaction, isObject, type Problem } from '@holdpoint/protocol';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { wordsFor } from '../service.ts';
import { type Asked, type DialectName, preview } from './asking.ts';
import { lineOf, positionOf, type ReadJson, readJson, type Span } from './json-text.ts';

/** A problem of the request, with its position in the text. */
export type LocatedProblem = Omit<Problem, 'code'> & ReturnType<typeof lineOf> & Span;

/** Long enough to finish a word. */
const settleMs = 200;

/** The result of checking one text. */
interface Check {
  of: string;
  problems: readonly Omit<Problem, 'code'>[];
}

export function useRequest(dialect: DialectName, text: string) {
  const read = useMemo(() => readJson(text), [text]);
  const body = read.ok && isObject(read.value) ? read.value : undefined;
  const [interaction, setInteraction] = useState<Interaction>();
  const [check, setCheck] = useState<Check>({ of: '', problems: [] });
  const of = `${dialect} ${text}`;
  useEffect(() => {
    if (!body) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const asked = await preview(dialect, body, stop.signal).catch(
        (error: unknown): Asked => ({ ok: false, detail: wordsFor(error), problems: [] }),
      );
      if (stop.signal.aborted) return;
      if (asked.ok) setInteraction(asked.interaction);
      const problems = asked.ok ? [] : asked.problems;
      setCheck({ of, problems: asked.ok || problems.length > 0 ? problems : [{ pointer: '', message: asked.detail }] });
    }, settleMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [of]);
  const problems = useMemo(() => locate(text, read, check), [text, read, check]);
  return {
    read,
    /** Set if the text is a JSON object. */
    body,
    /** The preview. While the text is invalid, that of the last valid text. */
    interaction,
    problems,
    /** True once the server has checked this exact text. */
    isChecked: check.of === of,
  };
}

/** Problems of an earlier text stay as long as their positions exist. */
function locate(text: string, read: ReadJson, { problems }: Check): readonly LocatedProblem[] {
  if (!read.ok) {
    const { message, offset } = read;
    return [{ message, pointer: '', ...lineOf(text, offset), start: offset, end: Math.min(offset + 1, text.length) }];
  }
  if (!isObject(read.value))
    return [{ message: 'A request must be a JSON object.', pointer: '', line: 1, column: 1, start: 0, end: 0 }];
  return problems.map(({ pointer, message }) => {
    const { start, end } = positionOf(read.positions, pointer);
    return { message, pointer, ...lineOf(text, start), start, end };
  });
}
