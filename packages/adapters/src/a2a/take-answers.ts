/** What a client of A2A sent, given to Holdpoint as answers to the open questions of its task. */
import type { Message } from '@a2a-js/sdk';
import { defined, HoldpointError, type Interaction, type Problem } from '@holdpoint/protocol';
import { type Answering, isSettled } from '../shared/answering.ts';
import { type SentAnswer, sentAnswers, valuesOf } from './parts.ts';

export interface TakenAnswers {
  count: number;
  refusals: { sentence: string; problems?: readonly Problem[] }[];
}

export async function takeAnswers(
  open: readonly Interaction[],
  message: Message,
  answering: Answering | undefined,
): Promise<TakenAnswers> {
  const taken: TakenAnswers = { count: 0, refusals: [] };
  const sent = sentAnswers(message);
  if (!answering) {
    if (sent.length > 0) taken.refusals.push({ sentence: 'Answers are not taken here, only in Holdpoint.' });
    return taken;
  }
  const { hp, responder } = answering;
  for (const { interactionId, answer } of sent) {
    // Only what this task asks: nobody answers another's question by naming it.
    const interaction = open.find(({ id }) => id === (interactionId ?? (open.length === 1 ? id : undefined)));
    if (!interaction) {
      const which = interactionId === undefined ? 'Say which question it is for.' : 'There is no such open question.';
      taken.refusals.push({ sentence: `An answer was not taken. ${which}` });
      continue;
    }
    try {
      await give(interaction, answer);
      taken.count += 1;
    } catch (error) {
      if (!(error instanceof HoldpointError)) throw error;
      if (isSettled(error)) {
        taken.count += 1;
        continue;
      }
      const { detail, problems } = error.fault;
      taken.refusals.push({ sentence: detail, ...defined({ problems }) });
    }
  }
  return taken;

  function give(interaction: Interaction, answer: SentAnswer['answer']): Promise<Interaction> {
    const to = { interactionId: interaction.id, ...defined({ responder }) };
    if ('decline' in answer) return hp.declineInteraction({ ...to, ...defined({ reason: answer.reason }) });
    const byPayload = interaction.payloadSchema && interaction.fields.length === 0;
    if (byPayload) return hp.submitAnswer({ ...to, payload: 'data' in answer ? answer.data : answer.text });
    return hp.submitAnswer({ ...to, values: valuesOf(interaction, answer) });
  }
}
