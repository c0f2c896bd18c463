/** An agent of the OpenAI Agents SDK whose tool needs approval, and whose state is kept in a file. */
import { join } from 'node:path';
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents';
import { z } from 'zod';
import { runWithPeople } from '../../src/openai-agents.ts';
import { deadlineOf, hp, modelUrl, questions, stateFolder, tell, thread } from './environment.ts';
import { fileKeep } from './file-keep.ts';

const act = tool({
  name: 'act',
  description: 'Does what the title says.',
  parameters: z.object({ title: z.string(), deadlineMs: z.number().nullish() }),
  needsApproval: true,
  execute: async () => JSON.stringify({ status: 'answered', values: { decision: 'allow' } }),
});
const agent = new Agent({ name: 'releases', model: 'fake', tools: [act] });
const modelProvider = new OpenAIProvider({ baseURL: modelUrl, apiKey: 'none' });

const { finalOutput } = await runWithPeople(hp, agent, JSON.stringify(questions), {
  thread,
  run: 'release-1',
  keep: fileKeep(join(stateFolder, 'run.json')),
  runner: new Runner({ modelProvider, tracingDisabled: true }),
  question: (call) => ({ title: String(call.arguments.title), ...deadlineOf(call.arguments) }),
});
const results: Record<string, unknown> = JSON.parse(finalOutput ?? '');
// The model reads a rejection as `declined: …`.
const outcomes = Object.entries(results).map(([title, said]) => [
  title,
  typeof said === 'string' ? { status: said.split(':')[0] } : said,
]);
tell(Object.fromEntries(outcomes));
