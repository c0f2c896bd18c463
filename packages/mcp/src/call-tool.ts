/** Calls a tool: checks the arguments against its schema, calls the verb and reports faults as JSON. */
import { checkShape, HoldpointError, sentenceOf } from '@holdpoint/protocol';
import {
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { askOrWait, nextRound } from './ask-human/ask-human.ts';
import { type Asking, longestWaitSeconds, waitForHuman, waitProgress } from './ask-human/asking.ts';
import { clientPowers, formChannel } from './ask-human/form-channel.ts';
import { type AskHuman, openQuestion } from './ask-human/open-question.ts';
import type { StateClaims } from './ask-human/request-states.ts';
import { startedLegacyTask } from './ask-human/tasks.ts';
import { type McpCaller, toRefusal } from './mcp-caller.ts';
import { acceptedInput, setOf, type ToolVerb, tools } from './tools.ts';

interface Call {
  server: Server;
  /** The verbs that this client sees. */
  verbs: readonly ToolVerb[];
  caller: McpCaller;
  context: ServerContext;
  onError(error: unknown): void;
}

type Params = CallToolRequest['params'];
type ToolResult = CallToolResult | InputRequiredResult;

/** A fault is text only, because older clients check structured content against the schema of results. */
export async function callTool(params: Params, call: Call): Promise<ToolResult> {
  const verb = offered(params.name, call.verbs);
  try {
    const input = params.arguments ?? {};
    // Reports a bounded number of problems. The SDK reports all: 1 MB of empty options took 0.9 s and a response of 48 MB.
    const problems = checkShape(acceptedInput(verb), input);
    const detail = `Invalid arguments: ${sentenceOf(problems)}`;
    if (problems.length > 0) throw new HoldpointError({ code: 'invalid-input', detail, problems });
    return await perform(verb, input, params, call);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (!(error instanceof HoldpointError)) call.onError(error);
    const internal = { code: 'internal', detail: 'Something went wrong.' } as const;
    const fault = error instanceof HoldpointError ? error.fault : internal;
    return { isError: true, content: [asText(JSON.stringify(toRefusal(fault)))] };
  }
}

function offered(name: string, verbs: readonly ToolVerb[]): ToolVerb {
  const verb = (Object.keys(tools) as ToolVerb[]).find((each) => tools[each].name === name);
  if (verb && verbs.includes(verb)) return verb;
  const where = verb ? `: it is in the set ${setOf(verb)}, which this client did not request` : '';
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Tool ${name} not found${where}`);
}

/** The input was checked by the schema of the verb. */
async function perform(
  verb: ToolVerb,
  input: Record<string, unknown>,
  { task }: Params,
  { server, caller, context }: Call,
): Promise<ToolResult> {
  const { mcpReq } = context;
  const { wait_seconds: waitSeconds = longestWaitSeconds } = input as { wait_seconds?: number };
  const asking: Asking = {
    caller,
    powers: clientPowers(context),
    channel: formChannel(server, context),
    waitSeconds,
    whileWaiting: waitProgress(context),
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

const asText = (text: string) => ({ type: 'text' as const, text });
