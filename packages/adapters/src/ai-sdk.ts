/** For the AI SDK: tools that ask a person, and answers to its tool approval requests. */
import type { Holdpoint } from '@holdpoint/client';
import type { CreateInteraction, ReadingOptions, ValuesOf } from '@holdpoint/protocol';
import { asSchema, jsonSchema, type ModelMessage, type Schema } from 'ai';
import { askOnce, type Place, type Question } from './shared/ask-once.ts';
import { askHumanDescription, type HumanQuestion, humanQuestionSchema, toQuestion } from './shared/human-question.ts';
import { type OutcomeSummary, summaryOf } from './shared/outcomes.ts';

export { type AnsweredApprovals, answerApprovals } from './ai-sdk/answer-approvals.ts';
export { type ApproveOptions, editableArguments, type ToolCall } from './shared/approvals.ts';
export type { OutcomeSummary, Place, Question };

export interface AskToolOptions<Args, Q extends Question> extends Place, ReadingOptions {
  /** Tells the model when to use the tool. Give each tool that asks its own description. */
  description: string;
  /** The schema of the arguments: any that the AI SDK accepts. */
  inputSchema: InputSchema<Args>;
  question: (args: Args) => Q;
}

/** Our own types for a schema and a tool: the SDK's types have other names in each of its versions 5 to 7. */
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

/** A tool that asks a person. Its result is the outcome of the question. */
export function askTool<Args, Q extends Question>(
  hp: Holdpoint,
  { thread, run, description, inputSchema, question, countDeadlineAsApproval }: AskToolOptions<Args, Q>,
): AskingTool<Args, OutcomeSummary<ValuesOf<Q>>> {
  const orderOf = ordersOfEqualCalls();
  return {
    description,
    inputSchema: asSchema<Args>(inputSchema as Schema<Args>),
    async execute(args, { toolCallId, messages, abortSignal }) {
      // After a crash the model gives its calls new ids, so a call is recognized by everything that led to it.
      const call = [wordsOf(messages), description, args];
      const at = ['call', ...call, orderOf(JSON.stringify(call), toolCallId)];
      const place = { thread, run, at, signal: abortSignal, countDeadlineAsApproval };
      const outcome = await askOnce(hp, question(args), place);
      return summaryOf(outcome) as OutcomeSummary<ValuesOf<Q>>;
    },
  };
}

export interface AskHumanOptions extends Place, ReadingOptions {
  /** Adds what the model does not decide, such as a deadline or the responders. */
  amend?: (question: CreateInteraction) => CreateInteraction;
}

/** A tool with which the model asks a question of its own: a choice, a form, or a text. */
export function askHuman(
  hp: Holdpoint,
  { amend = (question) => question, ...place }: AskHumanOptions,
): AskingTool<HumanQuestion, OutcomeSummary<ValuesOf<CreateInteraction>>> {
  const question = (args: HumanQuestion) => amend(toQuestion(args));
  const inputSchema = jsonSchema<HumanQuestion>(humanQuestionSchema);
  return askTool(hp, { ...place, description: askHumanDescription, inputSchema, question });
}

/** Numbers the calls of one step that differ only in their ids. Each of them is its own question. */
function ordersOfEqualCalls(): (call: string, toolCallId: string) => number {
  const known = new Map<string, string[]>();
  return (call, toolCallId) => {
    const ids = known.get(call) ?? [];
    known.set(call, ids);
    if (!ids.includes(toolCallId)) ids.push(toolCallId);
    return ids.indexOf(toolCallId);
  };
}

const randomProperties = new Set(['toolCallId', 'approvalId', 'providerOptions']);
const wordsOf = (messages: readonly ModelMessage[]): string =>
  JSON.stringify(messages, (name, value) => (randomProperties.has(name) ? undefined : value));
