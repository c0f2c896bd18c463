/** An agent of the AI SDK whose refunds need a person: they may change the amount, or say no. */
import { readFile, writeFile } from 'node:fs/promises';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { answerApprovals } from '@holdpoint/adapters/ai-sdk';
import { Holdpoint, number } from '@holdpoint/client';
import { generateText, type ModelMessage, stepCountIs, tool } from 'ai';
import { z } from 'zod';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '', MODEL_URL = '', MODEL = '' } = process.env;
const { JOB = 'job-1', STATE_FILE = `${JOB}.json` } = process.env;
const hp = new Holdpoint({ url, key });
const thread = await hp.createThread({ title: 'Complaints', idempotencyKey: `complaints-${JOB}` });
const model = createOpenAICompatible({ name: 'mine', baseURL: MODEL_URL })(MODEL);
const tools = {
  refund: tool({
    description: 'Pays a customer back.',
    inputSchema: z.object({ order: z.string(), amount: z.number() }),
    execute: async ({ order, amount }) => `Paid back ${amount} € for order ${order}.`,
  }),
};

// Stores the progress before it asks, so that it can continue after a crash.
let messages: ModelMessage[] = await readFile(STATE_FILE, 'utf8').then(
  (kept) => JSON.parse(kept),
  () => [{ role: 'user', content: 'Order A-17 arrived broken. Make it right.' }],
);

for (;;) {
  const answered = await answerApprovals(hp, messages, {
    thread,
    run: JOB,
    question: () => ({ title: 'Pay this back?', fields: { amount: number({ min: 0, label: 'Amount in €' }) } }),
  });
  messages = answered?.messages ?? messages;
  const toolApproval = { refund: 'user-approval' } as const;
  const result = await generateText({ model, tools, messages, toolApproval, stopWhen: stepCountIs(10) });
  messages.push(...result.responseMessages);
  await writeFile(STATE_FILE, JSON.stringify(messages));
  if (result.finishReason !== 'tool-calls') {
    console.log(result.text);
    break;
  }
}
