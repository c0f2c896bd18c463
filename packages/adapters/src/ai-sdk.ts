/** For the AI SDK: tools that ask a person, and answers to its tool approval requests. */
import type { Holdpoint } from '@holdpoint/client';
import {
  type Approval,
  type CreateInteraction,
  defined,
  type ReadingOptions,
  type ValuesOf,
} from '@holdpoint/protocol';
import { asSchema, jsonSchema, type ModelMessage, type Schema, type ToolApprovalResponse } from 'ai';
import { type ApproveOptions, approveCall, asArguments, asInput } from './shared/approvals.ts';
import { askOnce, type Place, type Question } from './shared/ask-once.ts';
import {
  type AskHumanOptions,
  askHumanDescription,
  type HumanQuestion,
  humanQuestionSchema,
  toQuestion,
} from './shared/human-question.ts';
import { editNotice, type OutcomeSummary, refusalOf, summaryOf } from './shared/outcomes.ts';

export { type ApproveOptions, editableArguments, type ToolCall } from './shared/approvals.ts';
export type { AskHumanOptions, OutcomeSummary, Place, Question };

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

export interface AnsweredApprovals {
  /** Generate again with these messages. */
  messages: ModelMessage[];
  /** By tool call id. */
  approvals: ReadonlyMap<string, Approval>;
}

/**
 * Asks about all tool approval requests that have no response yet, and returns when all questions are closed. Returns
 * undefined if there is no request. Store the messages before: a call with the same messages finds the same questions.
 */
export async function answerApprovals(
  hp: Holdpoint,
  messages: readonly ModelMessage[],
  options: ApproveOptions,
): Promise<AnsweredApprovals | undefined> {
  const requests = openRequests(messages);
  if (requests.length === 0) return undefined;
  const answered = await Promise.all(
    requests.map(async ({ request, call }) => {
      const { toolCallId, toolName: tool, input } = call;
      // A signed approval is bound to the arguments.
      const isSealed = request.signature !== undefined;
      const { approvalId: requestId, reason } = request;
      const asked = { tool, toolCallId, requestId, arguments: asArguments(input), isSealed, ...defined({ reason }) };
      return { request, call, approval: await approveCall(hp, asked, options) };
    }),
  );
  const responses = answered.map(({ request, approval }): ToolApprovalResponse => {
    const { approved, outcome } = approval;
    const reason = approved ? {} : { reason: refusalOf(outcome) };
    return { type: 'tool-approval-response', approvalId: request.approvalId, approved, ...reason };
  });
  const edited = answered.filter(({ approval }) => approval.approved && approval.edited);
  return {
    messages: [...edited.reduce(withEdit, [...messages]), { role: 'tool', content: responses }],
    approvals: new Map(answered.map(({ call, approval }) => [call.toolCallId, approval])),
  };
}

type Part = Exclude<Extract<ModelMessage, { role: 'assistant' }>['content'], string>[number];
interface Requested {
  request: Extract<Part, { type: 'tool-approval-request' }>;
  call: Extract<Part, { type: 'tool-call' }>;
}

function openRequests(messages: readonly ModelMessage[]): Requested[] {
  const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : [...content]));
  const settled = new Set(parts.map((part) => (part.type === 'tool-approval-response' ? part.approvalId : undefined)));
  const calls = parts.filter((part) => part.type === 'tool-call');
  return parts.flatMap((part) => {
    if (part.type !== 'tool-approval-request' || part.isAutomatic || settled.has(part.approvalId)) return [];
    const call = calls.findLast(({ toolCallId }) => toolCallId === part.toolCallId);
    return call ? [{ request: part, call }] : [];
  });
}

/**
 * The AI SDK accepts no arguments with an approval: it runs the call in the message. So this replaces the call by the one
 * that the person approved, which the tool’s schema and policy check again. A message before it tells the model.
 */
function withEdit(messages: ModelMessage[], { request, call, approval }: Requested & { approval: Approval }) {
  const { toolCallId, toolName, input: proposed } = call;
  const input = asInput(approval.arguments, proposed);
  return messages.flatMap((message): ModelMessage[] => {
    if (message.role !== 'assistant' || typeof message.content === 'string') return [message];
    if (!message.content.includes(request)) return [message];
    const content = message.content.map((part): Part => {
      if (part.type === 'tool-call' && part.toolCallId === toolCallId) return { ...part, input };
      if (part.type !== 'tool-approval-request' || part.approvalId !== request.approvalId) return part;
      const { inputSchemaInput: _, ...kept } = part;
      return kept;
    });
    return [
      { role: 'user', content: editNotice(toolName, proposed, input) },
      { ...message, content },
    ];
  });
}
