/** An agent of the AI SDK that keeps nothing: its tool asks while it runs, and finds its question when all is run again. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { approval } from '@holdpoint/protocol';
import { generateText, stepCountIs } from 'ai';
import { z } from 'zod';
import { askTool } from '../../src/ai-sdk.ts';
import { deadlineOf, hp, modelUrl, questions, tell, thread } from './environment.ts';

const model = createOpenAICompatible({ name: 'fake', baseURL: modelUrl })('fake');
const tools = {
  ask: askTool(hp, {
    thread,
    run: 'release-1',
    description: 'Asks a person.',
    inputSchema: z.object({ title: z.string(), deadlineMs: z.number().optional() }),
    question: (args) => approval({ title: args.title, ...deadlineOf(args) }),
  }),
};
const { text } = await generateText({ model, tools, prompt: JSON.stringify(questions), stopWhen: stepCountIs(5) });
tell(JSON.parse(text));
