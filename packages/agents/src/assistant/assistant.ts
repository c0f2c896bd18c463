/** An agent around a model: one run for each turn of the conversation. */
import { textOfMessage } from '@holdpoint/protocol';
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import { type Agent, type AgentContext, agent } from '../agent.ts';
import { callModel, type ModelCall, type ModelReply } from './call-model.ts';
import { callBlocks, replyContent, resultsMessage, toModelMessages } from './history.ts';
import type { InteractionTool } from './interaction-tool.ts';
import { runTools } from './run-tools.ts';

export interface AssistantOptions {
  /** Any model of the AI SDK. */
  model: LanguageModel;
  system?: string;
  /** Tools of the AI SDK, with `execute`. Each call is a step: its result is kept, and it is not run again. */
  tools?: ToolSet;
  interactionTools?: Readonly<Record<string, InteractionTool>>;
  /** The agent of the threads that it serves. */
  name?: string;
  /** How often the model is called in one turn. */
  maxSteps?: number;
  /** Number of messages before a turn that the model gets. */
  historyLength?: number;
  /** How often a call of the model that failed before its first word is made again. */
  maxRetries?: number;
}

export function assistant(options: AssistantOptions): Agent {
  const { model, system, tools = {}, interactionTools = {}, name = 'assistant' } = options;
  const { maxSteps = 20, historyLength = 100, maxRetries = 2 } = options;
  const declared = declare(tools, interactionTools);
  return agent(name, async (ctx) => {
    const first = await ctx.message();
    // Has only results of the journal, so it is the same in every replay.
    const turn: ModelMessage[] = [{ role: 'user', content: textOfMessage(first) }, ...(await unread(ctx))];
    for (let step = 1; step <= maxSteps; step++) {
      // All messages of an earlier turn, also its reply, come before this turn, even if they were written after it began.
      const messages = async () => [...toModelMessages(await ctx.history(historyLength, { beforeRun: true })), ...turn];
      const call = { model, system, tools: declared, messages, maxRetries };
      const { text, toolCalls, finishReason } = await replyOf(ctx, call);
      if (text !== '' || toolCalls.length > 0) turn.push({ role: 'assistant', content: replyContent(text, toolCalls) });
      if (toolCalls.length > 0) {
        await ctx.say(callBlocks(toolCalls));
        turn.push(resultsMessage(await runTools(ctx, { tools, interactionTools }, toolCalls)));
      }
      // Messages that came in the meantime are part of this turn: no other run begins for messages that this run got.
      const more = await unread(ctx);
      if (toolCalls.length === 0 && more.length === 0) return { finishReason, steps: step };
      turn.push(...more);
    }
    throw new Error(`The model has called tools ${maxSteps} times in one turn and has not come to an end.`);
  });
}

async function unread(ctx: AgentContext): Promise<ModelMessage[]> {
  const texts = (await ctx.unread()).map(textOfMessage).filter((text) => text !== '');
  return texts.map((content) => ({ role: 'user', content }));
}

/** How often a reply that was cut off in the middle is asked for again. */
const maxCuts = 2;

async function replyOf(ctx: AgentContext, call: ModelCall): Promise<ModelReply> {
  for (let cuts = 0; ; cuts++) {
    try {
      return await ctx.say(() => callModel(call));
    } catch (error) {
      // Checks the name, because the journal keeps only the name and the message of an error.
      if (cuts === maxCuts || !(error instanceof Error && error.name === 'CutOff')) throw error;
    }
  }
}

/** Returns the tools without their functions: the run executes calls as steps and questions, not the SDK. */
function declare(tools: ToolSet, interactionTools: Readonly<Record<string, InteractionTool>>): ToolSet {
  const plain = Object.entries(tools).map(([name, { execute: _, ...tool }]) => [name, tool]);
  const asking = Object.entries(interactionTools).map(([name, { description, parameters }]) => [
    name,
    { description, inputSchema: parameters },
  ]);
  return Object.fromEntries([...plain, ...asking]);
}
