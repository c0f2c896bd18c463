/** An agent of the AI SDK whose tool needs approval, and that keeps its messages before anybody is asked. */
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { answerApprovals, type OutcomeSummary } from '../../src/ai-sdk.ts';
import { summaryOf } from '../../src/shared/outcomes.ts';
import { deadlineOf, hp, modelUrl, questions, stateFolder, tell, thread } from './environment.ts';
import { fileKeep } from './file-keep.ts';

const act = tool({
  description: 'Does what the title says.',
  inputSchema: z.object({ title: z.string(), deadlineMs: z.number().optional() }),
  execute: async ({ title }) => `done: ${title}`,
});
const settings = {
  model: createOpenAICompatible({ name: 'fake', baseURL: modelUrl })('fake'),
  tools: { act },
  toolApproval: { act: 'user-approval' },
  stopWhen: stepCountIs(5),
} as const;
const keep = fileKeep(join(stateFolder, 'messages.json'));
const kept = await keep.load();

let messages: ModelMessage[] = kept ? JSON.parse(kept) : [{ role: 'user', content: JSON.stringify(questions) }];
if (!kept) {
  messages.push(...(await generateText({ ...settings, messages })).responseMessages);
  await keep.save(JSON.stringify(messages));
}
const answered = await answerApprovals(hp, messages, {
  thread,
  run: 'release-1',
  question: (call) => ({ title: String(call.arguments.title), ...deadlineOf(call.arguments) }),
});
messages = answered?.messages ?? messages;
const results: Record<string, string> = JSON.parse((await generateText({ ...settings, messages })).text);

const outcomes: Record<string, OutcomeSummary> = {};
for (const { arguments: args, outcome } of answered?.approvals.values() ?? []) {
  const title = String(args.title);
  outcomes[title] = summaryOf(outcome);
  const expected = outcome.status === 'answered' ? `done: ${title}` : outcome.status;
  if (!results[title]?.startsWith(expected)) throw new Error(`The model read "${results[title]}" about ${title}.`);
}
tell(outcomes);
