/** The calls `ask` and `approve`: a question is created once, and loaded again whenever the run continues. */
import {
  type Ask,
  type CreateInteraction,
  CreateInteractionSchema,
  checkQuestion,
  defined,
  type Field,
  fieldsToJsonSchema,
  HoldpointError,
  type HoldpointService,
  type InputField,
  type Interaction,
  isInputField,
  jsonEqual,
  limits,
  type Outcome,
  outcomeOf,
  type Question,
  type ReadingOptions,
  sentenceOf,
  validatePayload,
} from '@holdpoint/protocol';
import type { AskingOptions, Interrupted } from '../agent.ts';
import { checked, fitsEntry } from '../engine/as-json.ts';
import type { CallKind, LiveCall, Settled } from '../engine/call.ts';
import { JournalMismatch, messageOf, reach } from '../engine/errors.ts';
import type { Asked } from '../engine/journal.ts';
import { type InboxPlace, type KeptMessage, keepMessage, type ReadMessage, recallMessage } from './messages.ts';

export type AskedQuestion = Ask<unknown> | CreateInteraction;
type AskedNow = { asked: Asked; interaction: Interaction };
type Result<V> = Outcome<V> | Interrupted;

export function ask<V>(
  { service, threadId, runId, inbox }: InboxPlace,
  question: AskedQuestion,
  { name = '', toolCallId, orMessage = false, countDeadlineAsApproval }: AskingOptions = {},
): CallKind<Result<V>> {
  const reading = { countDeadlineAsApproval };
  const run = { id: runId, ...defined({ toolCallId }) };

  async function create({ ready, key, note }: LiveCall): Promise<AskedNow> {
    await ready();
    const asks = checked(CreateInteractionSchema, question, 'The question') as CreateInteraction;
    const input = { threadId, ...asks, run, idempotencyKey: key };
    const interaction = await reach(() => service.createInteraction(input));
    const asked = { interactionId: interaction.id };
    note(asked);
    return { asked, interaction };
  }

  /** Loads the question that an earlier attempt has asked. */
  async function load({ number, notes }: LiveCall): Promise<AskedNow> {
    const asked = notes.at(-1) as Asked;
    const interaction = await reach(() => service.getInteraction({ interactionId: asked.interactionId }));
    checkFits(number, interaction, question, name !== '');
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
      const { asked, interaction } = await (call.notes.length > 0 ? load(call) : create(call));
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
  interrupted?: KeptMessage & { seq: number };
}

/** A closed question never changes, so a large one is read again instead of kept. */
const keepInteraction = (interaction: Interaction): Kept =>
  fitsEntry(interaction) ? { interaction } : { interactionId: interaction.id };

const closed = <V>(interaction: Interaction, reading: ReadingOptions): Settled<Outcome<V>> => ({
  data: keepInteraction(interaction),
  value: outcomeOf<V>(interaction, reading),
  ...defined({ at: interaction.closedAt === undefined ? undefined : Date.parse(interaction.closedAt) }),
});

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

/**
 * Throws if the answer does not fit. The kind must be the same, because an answered form read as an approval would
 * approve. By giving a name, the author says that it is the same question, so its fields may change freely.
 */
function checkFits(call: number, asked: Interaction, question: unknown, isNamed: boolean): void {
  const mismatch = (was: string, is: string) => new JournalMismatch(call, was, is);
  const read = readQuestion(question);
  if ('fault' in read) throw mismatch('a question', `asks something else there: ${read.fault.replace(/\.$/, '')}`);
  const { kind, fields, payloadSchema } = read;
  if (kind !== asked.kind) throw mismatch(`a question of kind ${asked.kind}`, `asks a question of kind ${kind} there`);
  if (isNamed) return;
  // A person approves an action, not a position. Otherwise an approval that is inserted before another would take its
  // answer. The arguments are the action; without arguments, the title is.
  const hasArguments = asked.arguments ?? read.arguments;
  const isSame = hasArguments ? jsonEqual(asked.arguments, read.arguments) : asked.title === read.title;
  if (kind === 'approval' && !isSame)
    throw mismatch(`an approval of "${asked.title}"`, `asks to approve "${read.title}" there, or other arguments`);
  if (payloadSchema && !asked.payloadSchema) throw mismatch('a question with fields', 'asks for a payload there');
  const { answer } = asked;
  if (payloadSchema && answer?.payload !== undefined && validatePayload(payloadSchema, answer.payload).length > 0)
    throw mismatch('a question with another payloadSchema', 'asks for a payload that its answer does not fit');
  const hasValue = (name: string) => answer?.values[name] !== undefined || answer?.secretFields?.includes(name);
  const before = typesOf(asked.fields);
  const now = typesOf(fields);
  for (const field of fields.filter(isInputField)) {
    const { name } = field;
    const type = before.get(name);
    if (type === undefined && isDemanded(field))
      throw mismatch(`a question without the field "${name}"`, 'requires it there');
    if (type !== undefined && type !== now.get(name))
      throw mismatch(`a question whose field "${name}" takes a ${type}`, `asks for a ${now.get(name)} there`);
    const wasDemanded = asked.fields.some((old) => isInputField(old) && old.name === name && isDemanded(old));
    if (answer?.decision === 'accepted' && isDemanded(field) && !wasDemanded && !hasValue(name))
      throw mismatch(`a question whose field "${name}" was left empty`, 'requires it there');
  }
}

/** Reports whether every accepted answer has a value of the field. */
const isDemanded = ({ required, visibleIf }: InputField): boolean => required === true && !visibleIf;

/** Returns the question that the function asks now, or the reason why it is not a question. */
function readQuestion(question: unknown): Question | { fault: string } {
  try {
    const read = checkQuestion(checked(CreateInteractionSchema, question, 'The question') as CreateInteraction);
    return read.ok ? read.question : { fault: sentenceOf(read.problems) };
  } catch (error) {
    return { fault: messageOf(error) };
  }
}

/** The JSON type of the value of each field. */
function typesOf(fields: readonly Field[]): Map<string, string> {
  const { properties } = fieldsToJsonSchema(fields) as { properties: Record<string, { type?: unknown }> };
  return new Map(Object.entries(properties).map(([name, { type }]) => [name, String(type)]));
}
