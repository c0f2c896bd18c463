/** The AI SDK’s tool approval requests as approvals, and their answers as the messages with which generation goes on. */
import type { Holdpoint } from '@holdpoint/client';
import type { Approval } from '@holdpoint/protocol';
import type { ModelMessage, ToolApprovalResponse } from 'ai';
import { type ApproveOptions, approveCall, asArguments, asInput } from '../shared/approve-call.ts';
import { tellEdit, tellRefusal } from '../shared/tell-outcome.ts';

export interface AnsweredApprovals {
  /** To go on with: generate again with these. */
  messages: ModelMessage[];
  /** By the ids of the tool calls. */
  approvals: ReadonlyMap<string, Approval>;
}

/**
 * Asks for each tool approval request that has no response yet, all at once, and comes back when all are closed; nothing,
 * if there is none. Keep the messages before: started again with them it finds its questions.
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
      const why = request.reason === undefined ? {} : { reason: request.reason };
      // Who signs approvals has bound them to the arguments.
      const isSealed = request.signature !== undefined;
      const requestId = request.approvalId;
      const proposed = { tool, toolCallId, requestId, arguments: asArguments(input), ...why, isSealed };
      return { request, call, approval: await approveCall(hp, proposed, options) };
    }),
  );
  const responses = answered.map(({ request, approval }): ToolApprovalResponse => {
    const { approved, outcome } = approval;
    const reason = approved ? {} : { reason: tellRefusal(outcome) };
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
 * The AI SDK takes no arguments with an approval, and runs what stands in the message. So the call there becomes what the
 * person approved, checked again by the tool’s schema and policy, and a message before it tells the model of the change.
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
      { role: 'user', content: tellEdit(toolName, proposed, input) },
      { ...message, content },
    ];
  });
}
