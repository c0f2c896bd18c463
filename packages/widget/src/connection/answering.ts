/** Sends the answers of a person. A repeated try has the same key, so that the server accepts the answer once. */
import type { AnswerSignature, Interaction } from '@holdpoint/protocol';
import { newKey } from '@holdpoint/protocol/new-key';
import type { RequestActions, Sent } from '../request/request-props.ts';
import type { Strings } from '../strings/strings.ts';
import { ApiError, type Shown, type ThreadCalls } from './api.ts';
import type { Drafts } from './drafts.ts';

export interface Answering {
  api(): ThreadCalls;
  drafts: Drafts;
  strings(): Strings;
  /** Called with the request after the call, or with its current state if the call was too late. */
  onClosed(interaction: Interaction): void;
}

/** The server accepts four uploads of a person at once, also from other pages. */
const uploadsAtOnce = 3;
const triesOfUpload = 6;
const pauseMs = 500;

export function requestActions({ api, drafts, strings, onClosed }: Answering): RequestActions {
  const keys = new Map<string, string>();
  const upload = inTurn(uploadsAtOnce);
  const look = ({ id }: Interaction) => api().getInteraction(id);

  /** The signature is not part of what makes two tries the same: another signature of the same answer is the same answer. */
  async function send<Verb extends 'answer' | 'decline'>(
    interaction: Interaction,
    verb: Verb,
    given: Omit<Parameters<ThreadCalls[Verb]>[1], keyof Shown>,
    signature: AnswerSignature | undefined,
  ): Promise<Sent> {
    const { id, digest } = interaction;
    const content = JSON.stringify([id, digest, verb, given]);
    const key = keys.get(content) ?? newKey();
    keys.set(content, key);
    try {
      const now = await api()[verb](id, { ...given, digest, signature } as never, key);
      drafts.forget(id);
      onClosed(now);
      return { ok: true, now };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, code, problems, message } = error;
      // Somebody else was faster. Their change or decision is shown instead.
      const isLate = status === 409 || status === 404;
      const now = isLate ? await look(interaction).catch(() => undefined) : undefined;
      if (now) onClosed(now);
      const text = status === 0 ? strings().offline : strings().sendFailed;
      return {
        ...{ ok: false, problems, now, isUnsure: status === 0 || status >= 500 },
        message: code === 'question-changed' ? strings().questionChanged : message || text,
      };
    }
  }

  return {
    token: () => api().token(),
    look,
    answer: (interaction, values, payload, signature) => send(interaction, 'answer', { values, payload }, signature),
    decline: (interaction, reason, signature) => send(interaction, 'decline', { reason }, signature),
    uploads: ({ id }) => ({
      start: async (field, picked, onProgress, signal) => {
        const file = await picked;
        return upload(async () => {
          for (let tries = 1; ; tries++)
            try {
              signal.throwIfAborted();
              return await api().upload(id, { field, file, onProgress, signal });
            } catch (error) {
              if (tries === triesOfUpload || !(error instanceof ApiError) || error.status !== 429) throw error;
              await new Promise((resolve) => setTimeout(resolve, pauseMs * tries));
            }
        });
      },
    }),
    saveDraft: (interaction, values, payload) => drafts.save(interaction, values, payload),
  };
}

/** Runs at most `atOnce` jobs at the same time. The others wait in order. */
function inTurn(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < atOnce) running++;
    else await new Promise<void>((begin) => waiting.push(begin));
    try {
      return await work();
    } finally {
      // Hands its place to the next job, so that a new job cannot take it in between.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
