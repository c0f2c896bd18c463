/** Answers the AI SDK’s tool approval requests: people decide, and generation continues with the returned messages. */
import type { Holdpoint } from '@holdpoint/client';
import { type Approval, defined } from '@holdpoint/protocol';
import type { ModelMessage, ToolApprovalResponse } from 'ai';
import { type ApproveOptions, approveCall, asArguments, asInput } from '../shared/approvals.ts';
import { editNotice, refusalOf } from '../shared/outcomes.ts';

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
      const requestId = request.approvalId;
      const proposed = { tool, toolCallId, requestId, arguments: asArguments(input), isSealed };
      const asked = { ...proposed, ...defined({ reason: request.reason }) };
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
type CallPart = Extract<Part, { type: 'tool-call' }>;
type RequestPart = Extract<Part, { type: 'tool-approval-request' }>;
interface Requested {
  request: RequestPart;
  call: CallPart;
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
