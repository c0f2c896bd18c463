/** For the AI SDK: tools that ask a person, and answers to its tool approval requests. */
import type { Holdpoint } from '@holdpoint/client';
import type { CreateInteraction, ReadingOptions, ValuesOf } from '@holdpoint/protocol';
import { asSchema, jsonSchema, type ModelMessage, type Schema } from 'ai';
import { askOnce, type Place, type Question } from './shared/ask-once.ts';
import { askHumanDescription, type HumanQuestion, humanQuestionSchema, toQuestion } from './shared/human-question.ts';
import { type ToldOutcome, tellOutcome } from './shared/tell-outcome.ts';

export { type AnsweredApprovals, answerApprovals } from './ai-sdk/answer-approvals.ts';
export type { ApproveOptions, ToolCall } from './shared/approve-call.ts';
export { editableArguments } from './shared/editable-arguments.ts';
export type { Place, Question, ToldOutcome };

export interface AskToolOptions<Args, Q extends Question> extends Place, ReadingOptions {
  /** For the model: when to ask, and what. It tells the tool from others that ask. */
  description: string;
  /** Of what the model gives: any schema that the AI SDK takes. */
  inputSchema: InputSchema<Args>;
  question: (args: Args) => Q;
}

/** The SDK's own names for a schema and for a tool differ between its versions 5 to 7, so these two are ours. */
export type InputSchema<Args> = Schema<Args> | (() => Schema<Args>) | StandardSchema<Args>;

/** The common interface of zod and other schema libraries. */
interface StandardSchema<Args> {
  readonly '~standard': { readonly types?: { readonly input: unknown; readonly output: Args } | undefined };
}

/** A tool of the AI SDK. */
export interface AskingTool<Args, Output> {
  description: string;
  inputSchema: Schema<Args>;
  execute(
    args: Args,
    call: { toolCallId: string; messages: ModelMessage[]; abortSignal?: AbortSignal | undefined },
  ): Promise<Output>;
}

/** A tool that asks a person; its result is how the question ended. */
export function askTool<Args, Q extends Question>(
  hp: Holdpoint,
  { thread, run, description, inputSchema, question, countDeadlineAsApproval }: AskToolOptions<Args, Q>,
): AskingTool<Args, ToldOutcome<ValuesOf<Q>>> {
  const orderOf = ordersOfEqualCalls();
  return {
    description,
    inputSchema: asSchema<Args>(inputSchema as Schema<Args>),
    async execute(args, { toolCallId, messages, abortSignal }) {
      // A model that is asked again after a crash gives its calls other ids, so a call is known by all that led to it.
      const call = [wordsOf(messages), description, args];
      const at = ['call', ...call, orderOf(JSON.stringify(call), toolCallId)];
      const place = { thread, run, at, signal: abortSignal, countDeadlineAsApproval };
      const outcome = await askOnce(hp, question(args), place);
      return tellOutcome(outcome) as ToldOutcome<ValuesOf<Q>>;
    },
  };
}

export interface AskHumanOptions extends Place, ReadingOptions {
  /** Adds what the model does not decide: a deadline, who may answer. */
  amend?: (question: CreateInteraction) => CreateInteraction;
}

/** A tool with which the model asks what it likes: a choice, a form, or a text. */
export function askHuman(
  hp: Holdpoint,
  { amend = (question) => question, ...place }: AskHumanOptions,
): AskingTool<HumanQuestion, ToldOutcome<ValuesOf<CreateInteraction>>> {
  const question = (args: HumanQuestion) => amend(toQuestion(args));
  const inputSchema = jsonSchema<HumanQuestion>(humanQuestionSchema);
  return askTool(hp, { ...place, description: askHumanDescription, inputSchema, question });
}

/** Several calls in one step may be equal in all but their ids, and are several questions. */
function ordersOfEqualCalls(): (call: string, toolCallId: string) => number {
  const known = new Map<string, string[]>();
  return (call, toolCallId) => {
    const ids = known.get(call) ?? [];
    known.set(call, ids);
    if (!ids.includes(toolCallId)) ids.push(toolCallId);
    return ids.indexOf(toolCallId);
  };
}

const ofChance = new Set(['toolCallId', 'approvalId', 'providerOptions']);
const wordsOf = (messages: readonly ModelMessage[]): string =>
  JSON.stringify(messages, (name, value) => (ofChance.has(name) ? undefined : value));
