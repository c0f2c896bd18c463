/** The calls `ask` and `approve`: a question is created once, and loaded again whenever the run continues. */
import {
  type Ask,
  type CreateInteraction,
  CreateInteractionSchema,
  defined,
  HoldpointError,
  type HoldpointService,
  type Interaction,
  limits,
  type Outcome,
  outcomeOf,
  type ReadingOptions,
} from '@holdpoint/protocol';
import type { AskingOptions, Interrupted } from '../agent.ts';
import { checked, fitsEntry } from '../engine/as-json.ts';
import type { CallKind, LiveCall, Settled } from '../engine/call.ts';
import { reach } from '../engine/errors.ts';
import type { Asked } from '../engine/journal.ts';
import { checkFits } from './fits-question.ts';
import type { Inbox, ReadMessage } from './inbox.ts';
import { keepMessage, type Place, recallMessage } from './say.ts';

export type Question = Ask<unknown> | CreateInteraction;
type Result<V> = Outcome<V> | Interrupted;

export function ask<V>(
  { service, threadId, runId, inbox }: Place & { inbox: Inbox },
  question: Question,
  { name = '', toolCallId, orMessage = false, countDeadlineAsApproval }: AskingOptions = {},
): CallKind<Result<V>> {
  const reading = { countDeadlineAsApproval };
  const run = { id: runId, ...defined({ toolCallId }) };

  async function create({ ready, key, note }: LiveCall): Promise<{ asked: Asked; interaction: Interaction }> {
    await ready();
    const asks = checked(CreateInteractionSchema, question, 'The question') as CreateInteraction;
    const input = { threadId, ...asks, run, idempotencyKey: key };
    const interaction = await reach(() => service.createInteraction(input));
    const asked = { interactionId: interaction.id };
    note(asked);
    return { asked, interaction };
  }

  async function recall(data: unknown, number: number): Promise<Result<V>> {
    const { interactionId, interaction, interrupted } = data as Kept;
    const asked = interaction ?? (await reach(() => service.getInteraction({ interactionId: interactionId ?? '' })));
    checkFits(number, asked, question, name !== '');
    if (!interrupted) return outcomeOf(asked, reading);
    return { status: 'message', message: await recallMessage(service, interrupted), interaction: asked };
  }

  /** Cancels the question, unless it was answered at the same moment. Then the message is left for later. */
  async function interrupt(call: LiveCall, asked: Asked, found: ReadMessage): Promise<Settled<Result<V>>> {
    if (asked.interruptedBy === undefined) call.note({ ...asked, interruptedBy: found.seq } satisfies Asked);
    await call.ready();
    const interaction = await cancelQuestion(service, asked.interactionId, 'A message came instead of an answer.');
    if (interaction.status !== 'cancelled') {
      inbox.putBack(found.seq);
      return closed(interaction, reading);
    }
    const value: Interrupted = { status: 'message', message: found.message, interaction };
    const data = { ...keepInteraction(interaction), interrupted: { seq: found.seq, ...keepMessage(found.message) } };
    return { data, value, at: Date.parse(found.message.at) };
  }

  return {
    type: 'ask',
    name: name.slice(0, limits.idLength),
    async play(call) {
      const noted = call.notes.at(-1) as Asked | undefined;
      const { asked, interaction } = noted
        ? {
            asked: noted,
            interaction: await reach(() => service.getInteraction({ interactionId: noted.interactionId })),
          }
        : await create(call);
      if (noted) checkFits(call.number, interaction, question, name !== '');
      const { interruptedBy } = asked;
      if (interruptedBy !== undefined) return interrupt(call, asked, await inbox.at(interruptedBy));
      if (interaction.status !== 'pending') return closed(interaction, reading);
      const found = orMessage ? await inbox.takeLater() : undefined;
      if (found) return interrupt(call, asked, found);
      const answer = { type: 'interaction', interactionId: asked.interactionId } as const;
      return call.waitFor(answer, ...(orMessage ? [{ type: 'message' } as const] : []));
    },
    recall,
  };
}

interface Kept {
  interaction?: Interaction;
  interactionId?: string;
  interrupted?: Parameters<typeof recallMessage>[1] & { seq: number };
}

/** A closed question never changes, so a large one is read again instead of kept. */
const keepInteraction = (interaction: Interaction): Kept =>
  fitsEntry(interaction) ? { interaction } : { interactionId: interaction.id };

function closed<V>(interaction: Interaction, reading: ReadingOptions): Settled<Outcome<V>> {
  const { closedAt } = interaction;
  return {
    data: keepInteraction(interaction),
    value: outcomeOf<V>(interaction, reading),
    ...defined({ at: closedAt === undefined ? undefined : Date.parse(closedAt) }),
  };
}

/** Cancels a question, and returns it. A question that was closed before stays as it was. */
export async function cancelQuestion(
  service: HoldpointService,
  interactionId: string,
  reason: string,
): Promise<Interaction> {
  try {
    return await reach(() => service.cancelInteraction({ interactionId, reason }));
  } catch (error) {
    if (!(error instanceof HoldpointError && error.code.startsWith('interaction-'))) throw error;
    return reach(() => service.getInteraction({ interactionId }));
  }
}
