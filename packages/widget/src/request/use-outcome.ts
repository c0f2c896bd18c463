/** Follows a request from the person's first input to its end: accepted, closed by somebody else, or dismissed. */
import { type Answer, defined, type Interaction } from '@holdpoint/protocol';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { RequestActions, Sent } from './request-props.ts';
import { readClaims, voteOf } from './responder.ts';

/** Values of an answer: accepted ones, or those that a person has entered so far. */
export type Given = Partial<Pick<Answer, 'values' | 'payload' | 'reason'>>;

/** Values that a person entered or sent, and that were not accepted yet. */
export interface Begun extends Given {
  wasSent?: boolean;
}

export interface Outcome {
  /** The closed request. */
  interaction: Interaction;
  responderId: string | undefined;
  /** Undefined if the person had not begun, or if their answer is the one that counts. */
  begun: Begun | undefined;
}

interface Watched {
  interaction: Interaction;
  /** The request is closed. Its outcome may not be known yet. */
  isClosed: boolean;
  actions: RequestActions;
  onBegun: ((isBegun: boolean) => void) | undefined;
  /** Fetches the view of a lost race before it is needed, because the focus moves to it. */
  beforeLost(): Promise<void>;
}

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;

export function useOutcome({ interaction, isClosed, actions, onBegun, beforeLost }: Watched) {
  const [outcome, setOutcome] = useState<Outcome>();
  const begun = useRef<Begun>(undefined);
  const sending = useRef<Promise<Sent>>(undefined);
  /** Repeats an answer that the server may have accepted. The same key gives the same response, and changes nothing. */
  const unsure = useRef<() => Promise<Sent>>(undefined);

  const hasBegun = useRef(false);
  /** Values that the person changed. The other values that they send were proposed to them. */
  const entered = useRef<Given['values']>(undefined);

  const begin = (after: Begun | undefined) => {
    const wasBegun = begun.current !== undefined;
    begun.current = after && (after.wasSent || !isEmpty(after)) ? after : undefined;
    const isBegun = begun.current !== undefined;
    hasBegun.current ||= isBegun;
    if (isBegun !== wasBegun) onBegun?.(isBegun);
  };
  const send = (call: () => Promise<Sent>): Promise<Sent> => {
    sending.current = call().then((sent) => {
      unsure.current = !sent.ok && sent.isUnsure ? call : undefined;
      if (!sent.ok) return sent;
      begin(undefined);
      // Closes the form at once: while it is there, it could be sent again.
      if (sent.now && sent.now.status !== 'pending')
        setOutcome({ interaction: sent.now, responderId: sent.now.closedBy?.id, begun: undefined });
      return sent;
    });
    return sending.current;
  };
  const settleSent = async () => {
    await sending.current;
    if (unsure.current) await send(unsure.current);
    if (unsure.current) throw new Error('The server did not say whether it accepted the answer.');
  };
  const watched = useMemo(
    (): RequestActions => ({
      ...actions,
      saveDraft(asked, values, payload) {
        entered.current = values;
        begin({ ...begun.current, values, payload });
        actions.saveDraft(asked, values, payload);
      },
      noteReason: (reason) => begin({ ...begun.current, reason }),
      answer(asked, values, payload, signature) {
        begin({ values, payload, wasSent: true });
        return send(() => actions.answer(asked, values, payload, signature));
      },
      decline(asked, reason, signature) {
        begin({ ...begun.current, ...defined({ reason }), wasSent: true });
        return send(() => actions.decline(asked, reason, signature));
      },
    }),
    [actions],
  );

  useEffect(() => {
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let retryMs = firstRetryMs;
    const settle = async () => {
      const { sub: responderId } = readClaims(await actions.token());
      const closed = interaction.status === 'pending' ? await actions.look(interaction) : interaction;
      const isMine = voteOf(closed, responderId) !== undefined;
      // If the person has two windows, only the one that sent the answer had it accepted.
      if (isMine) await settleSent();
      if (begun.current) await beforeLost();
      if (!isGone && closed.status !== 'pending')
        setOutcome({ interaction: closed, responderId, begun: begun.current });
    };
    const attempt = () =>
      settle().catch(() => {
        if (!isGone) timer = setTimeout(attempt, retryMs);
        retryMs = Math.min(retryMs * 2, longestRetryMs);
      });
    const isKnown = outcome !== undefined || (interaction.status !== 'pending' && !begun.current);
    if (isClosed && !isKnown) void attempt();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isClosed]);

  return {
    outcome,
    watched,
    begin,
    entered: () => entered.current,
    hasBegun: () => hasBegun.current,
    dismiss() {
      begin(undefined);
      setOutcome((before) => before && { ...before, begun: undefined });
    },
  };
}

const isEmpty = ({ values = {}, payload, reason }: Begun): boolean =>
  Object.keys(values).length === 0 && payload === undefined && !reason;
