/** The state of a form: saves drafts, checks the values, sends them once, and keeps them if sending fails. */
import type { Interaction } from '@holdpoint/protocol';
import { type Field, isInputField, type Problem, pickField } from '@holdpoint/protocol/answers';
import { useCallback, useMemo, useRef, useState } from 'preact/hooks';
import type { describeProblem } from '../form/describe-problem.ts';
import type { Uploads } from '../form/field-props.ts';
import { answerOf, initialValues, isSame, nameOf, problemsOf, type Values } from '../form/form-state.ts';
import type { EnteredPayload } from '../payload/payload-form.tsx';
import type { RequestCardProps, Sent } from './request-props.ts';

type Answering = Pick<RequestCardProps, 'interaction' | 'draft' | 'actions' | 'strings'>;

export function useAnswer({ interaction, draft, actions, strings }: Answering) {
  const { fields, recommendations = {} } = interaction;
  const [proposed] = useState(() => initialValues(fields, recommendations));
  const [values, setValues] = useState<Values>(() => ({ ...proposed, ...draft?.values }));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<string>();
  const [sending, setSending] = useState<string>();
  const isBusy = useRef(false);
  const payload = useRef<EnteredPayload>(undefined);
  /** Fetched with the first problem, if the language has words for it. The server's words are English. */
  const inLanguage = useRef<typeof describeProblem>(undefined);

  // The same functions and uploads in every render, so that an unchanged row is not rendered again.
  const latest = useRef(values);
  latest.current = values;
  // Only changed values are saved. An unchanged proposal follows the question if it changes.
  const entered = () =>
    Object.entries(answerOf(fields, latest.current)).filter(([name, value]) => !isSame(value, proposed[name]));
  const saveDraft = () => actions.saveDraft(interaction, Object.fromEntries(entered()), payload.current?.draft);
  const change = useCallback((name: string, value: unknown) => {
    const after = { ...latest.current, [name]: value };
    latest.current = after;
    setValues(after);
    setProblems((before) => before.filter((problem) => nameOf(problem) !== name));
    saveDraft();
  }, []);
  const takePayload = useCallback((entered: EnteredPayload, pointer?: string) => {
    payload.current = entered;
    if (pointer === undefined) return;
    setProblems((before) => before.filter(({ pointer: at }) => at !== pointer && !at.startsWith(`${pointer}/`)));
    saveDraft();
  }, []);
  const uploads = useMemo(() => holdUploads(actions.uploads(interaction)), []);

  /** Sends one thing at a time. If it fails, the entered values stay. */
  async function send(what: string, sent: () => Promise<Sent>): Promise<void> {
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(what);
    setFailure(undefined);
    const outcome = await sent().catch((): Sent => ({ ok: false, problems: [], message: strings.sendFailed }));
    // Stays busy after an accepted answer, so that it is not sent again. The form is about to close.
    if (outcome.ok) return;
    if (strings.problems && outcome.problems.length > 0)
      inLanguage.current = await import('../form/problems-in-language.ts').then((all) => all.describeProblem, ignore);
    isBusy.current = false;
    setSending(undefined);
    setProblems(outcome.problems);
    setAttempt((count) => count + 1);
    if (outcome.problems.length === 0) setFailure(outcome.message);
  }

  const submit = (picked: Values = {}) =>
    send(String(Object.values(picked)[0] ?? 'form'), async () => {
      const failed = await uploads.settled();
      if (failed) return { ok: false, problems: [], message: failed.message || strings.sendFailed };
      const all = { ...latest.current, ...picked };
      if (isRejection(interaction, all)) return actions.answer(interaction, await withoutFaults(fields, all));
      const found = [...(await problemsOf(fields, all)), ...(payload.current?.problems() ?? [])];
      // A press can come before the script of the payload form.
      if (found.length > 0 || (interaction.payloadSchema && !payload.current))
        return { ok: false, problems: found, message: strings.sendFailed };
      return actions.answer(
        interaction,
        { ...cleared(interaction), ...answerOf(fields, all) },
        payload.current?.payload,
      );
    });

  const describe = (problem: Problem): string =>
    problem.pointer.startsWith('/payload') && payload.current
      ? payload.current.describe(problem)
      : (inLanguage.current?.(problem, fields, strings) ?? problem.message);

  return {
    ...{ values, problems, attempt, failure, sending, uploads },
    ...{ change, takePayload, describe, submit },
    noteReason: (reason: string) => actions.noteReason?.(reason),
    decline: (reason: string | undefined) => send('decline', () => actions.decline(interaction, reason)),
  };
}

const ignore = () => undefined;

/** A missing argument of an approval counts as proposed, so an emptied field is sent as null. */
const cleared = ({ kind, fields }: Interaction): Values =>
  kind === 'approval'
    ? Object.fromEntries(fields.flatMap((field) => ('default' in field ? [[field.name, null]] : [])))
    : {};

function isRejection(interaction: Interaction, values: Values): boolean {
  const pick = interaction.kind === 'approval' ? pickField(interaction) : undefined;
  const option = pick?.options.find(({ value }) => value === values[pick.name]);
  return option?.kind?.startsWith('reject') ?? false;
}

/** Leaves out invalid values: a person who rejects need not fill in or correct the fields of an approval. */
async function withoutFaults(fields: readonly Field[], values: Values): Promise<Values> {
  const optional = fields.map((field) => (isInputField(field) ? { ...field, required: false } : field));
  const faulty = new Set((await problemsOf(optional, values)).map(nameOf));
  return Object.fromEntries(Object.entries(answerOf(fields, values)).filter(([name]) => !faulty.has(name)));
}

function holdUploads({ start }: Uploads) {
  const underWay = new Set<Promise<Error | undefined>>();
  return {
    start(...[field, file, onProgress, signal]: Parameters<Uploads['start']>) {
      const sent = start(field, file, onProgress, signal);
      const ended = sent.then(ignore, (error: Error) => (signal.aborted ? undefined : error));
      underWay.add(ended);
      void ended.then(() => underWay.delete(ended));
      return sent;
    },
    /** Waits for the uploads under way. Resolves with the first error of an upload that the person did not remove. */
    async settled(): Promise<Error | undefined> {
      // A loop, because an upload may be replaced by another while we wait, such as a signature that is drawn further.
      let failed: Error | undefined;
      while (underWay.size > 0) failed ??= (await Promise.all(underWay)).find(Boolean);
      return failed;
    },
  };
}
