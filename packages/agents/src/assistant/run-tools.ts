/** Runs the tool calls of the model in order: a tool as a step, an interaction tool as a question. */
import { type CreateInteraction, checkQuestion, type FreeObject, sentenceOf } from '@holdpoint/protocol';
import type { ToolSet } from 'ai';
import type { AgentContext } from '../agent.ts';
import { messageOf } from '../engine/errors.ts';
import { bytesOf, maxKeptBytes, resultBlock, type ToolCall, type ToolResult } from './history.ts';
import type { InteractionTool } from './interaction-tool.ts';

interface Toolbox {
  tools: ToolSet;
  interactionTools: Readonly<Record<string, InteractionTool>>;
}

export async function runTools(ctx: AgentContext, toolbox: Toolbox, calls: readonly ToolCall[]): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const call of calls) {
    // A person who wrote something else is not asked the remaining questions.
    const isInterrupted = results.some(({ messageId }) => messageId !== undefined);
    const result = await runCall(ctx, toolbox, call, isInterrupted);
    await ctx.say(resultBlock(result));
    results.push(result);
  }
  return results;
}

async function runCall(
  ctx: AgentContext,
  { tools, interactionTools }: Toolbox,
  call: ToolCall,
  isInterrupted: boolean,
): Promise<ToolResult> {
  const { toolCallId, toolName, error } = call;
  const ended = (result: unknown) => ({ toolCallId, toolName, result: small(result) });
  if (error !== undefined) return ended({ error });
  const asking = Object.hasOwn(interactionTools, toolName) ? interactionTools[toolName] : undefined;
  if (!asking) return ended(await runTool(ctx, tools, call));
  if (isInterrupted) return ended({ status: 'not_asked', reason: 'The person wrote something else before.' });
  const question = questionOf(asking, call);
  if ('error' in question) return ended(question);
  const outcome = await ctx.ask(question, { name: toolName, toolCallId, orMessage: true });
  const messageId = outcome.status === 'message' ? { messageId: outcome.message.id } : {};
  return { ...ended(asking.answer(outcome, call.args)), ...messageId };
}

/** Returns problems to the model, because it wrote the arguments of the question. */
function questionOf(
  tool: InteractionTool,
  { toolCallId, toolName, args }: ToolCall,
): CreateInteraction | { error: string } {
  try {
    const asked = tool.ask(args) as CreateInteraction;
    const checked = checkQuestion(asked);
    if (!checked.ok) return { error: sentenceOf(checked.problems) };
    const sent = { toolName, toolCallId, args, description: tool.waiting, options: tool.options(args) } as FreeObject;
    return { ...asked, origin: { type: 'tool', reference: toolName }, original: { dialect: 'assistant', sent } };
  } catch (error) {
    return { error: `The arguments make no question: ${messageOf(error)}` };
  }
}

async function runTool(ctx: AgentContext, tools: ToolSet, { toolCallId, toolName, args }: ToolCall): Promise<unknown> {
  const execute = Object.hasOwn(tools, toolName) ? tools[toolName]?.execute : undefined;
  if (!execute) return { error: `There is no tool ${toolName}.` };
  try {
    return await ctx.step(`tool ${toolName}`, async ({ signal }) => {
      const given = await execute(args, { toolCallId, messages: [], abortSignal: signal, context: undefined as never });
      return given ?? null;
    });
  } catch (error) {
    // After all attempts. The model may know another way.
    return { error: messageOf(error) };
  }
}

function small(result: unknown): unknown {
  const bytes = bytesOf(result);
  if (bytes <= maxKeptBytes) return result;
  return { error: `The result is too large: ${bytes} bytes, and ${maxKeptBytes} are kept.` };
}
