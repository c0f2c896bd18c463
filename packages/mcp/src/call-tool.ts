/** One call of a tool: its arguments held against its schema, its verb called, and a refusal said in JSON. */
import { checkShape, HoldpointError, sentenceOf } from '@holdpoint/protocol';
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { type Asking, askOrWait, waitForHuman } from './ask-human/ask-human.ts';
import { clientPowers } from './ask-human/client-powers.ts';
import { nextRound } from './ask-human/next-round.ts';
import { type AskHuman, openQuestion } from './ask-human/open-question.ts';
import type { StateClaims } from './ask-human/request-states.ts';
import { startedLegacyTask } from './ask-human/task-of.ts';
import type { InputRequests } from './input-requests.ts';
import type { McpCaller } from './mcp-caller.ts';
import { toRefusal } from './refusal.ts';
import type { ToolSchema } from './tools.ts';

export interface PreparedTool {
  verb: keyof InputRequests | 'ask' | 'wait';
  inputSchema: ToolSchema;
}

interface Call {
  caller: McpCaller;
  context: ServerContext;
  onError(error: unknown): void;
}

type Params = CallToolRequest['params'];
type ToolResult = CallToolResult | InputRequiredResult;

/** A refusal is text alone: older clients hold whatever is structured against the schema of what is not refused. */
export async function callTool(
  prepared: ReadonlyMap<string, PreparedTool>,
  params: Params,
  call: Call,
): Promise<ToolResult> {
  const tool = prepared.get(params.name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${params.name} not found`);
  try {
    const input = params.arguments ?? {};
    checkInput(tool.inputSchema, input);
    return await perform(tool.verb, input, params, call);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!(error instanceof HoldpointError)) call.onError(error);
    return refused(JSON.stringify(toRefusal(faultOf(error))));
  }
}

/** Reports a bounded number of problems. The SDK reports all: 1 MB of empty options took 0.9 s and a response of 48 MB. */
function checkInput(schema: ToolSchema, input: Record<string, unknown>): void {
  const problems = checkShape(schema, input);
  if (problems.length === 0) return;
  throw new HoldpointError({ code: 'invalid-input', detail: `Invalid arguments: ${sentenceOf(problems)}`, problems });
}

// The schema of this verb has been held against the input.
async function perform(
  verb: PreparedTool['verb'],
  input: Record<string, unknown>,
  { task }: Params,
  { caller, context }: Call,
): Promise<ToolResult> {
  const { mcpReq } = context;
  const asking: Asking = {
    caller,
    powers: clientPowers(context),
    waitSeconds: input.wait_seconds as number | undefined,
    signal: mcpReq.signal,
  };
  if (verb === 'wait') return waitForHuman(asking, input.interaction_id as string);
  if (verb === 'ask') {
    const claims = mcpReq.requestState<StateClaims>();
    if (claims) return nextRound(asking, claims, mcpReq.inputResponses);
    const interaction = await openQuestion(caller, input as unknown as AskHuman);
    const isLegacyTask = task !== undefined && mcpReq.envelope === undefined;
    return isLegacyTask ? startedLegacyTask(interaction) : askOrWait(asking, interaction);
  }
  const result = await caller.requests[verb](input as never);
  return { content: [asText(JSON.stringify(result))], structuredContent: { ...result } };
}

const faultOf = (error: unknown) =>
  error instanceof HoldpointError ? error.fault : ({ code: 'internal', detail: 'Something went wrong.' } as const);

const refused = (text: string): CallToolResult => ({ isError: true, content: [asText(text)] });

const asText = (text: string) => ({ type: 'text' as const, text });
