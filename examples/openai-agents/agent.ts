/** An agent of the OpenAI Agents SDK. Its tool needs approval, and its run is kept while a person decides. */
import { readFile, writeFile } from 'node:fs/promises';
import { runWithPeople } from '@holdpoint/adapters/openai-agents';
import { Holdpoint } from '@holdpoint/client';
import { Agent, tool } from '@openai/agents';
import { z } from 'zod';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '' } = process.env;
const { JOB = 'job-1', STATE_FILE = `${JOB}.json` } = process.env;
const hp = new Holdpoint({ url, key });
const thread = await hp.createThread({ title: 'Servers', idempotencyKey: `servers-${JOB}` });

const restart = tool({
  name: 'restart',
  description: 'Restarts a server.',
  parameters: z.object({ server: z.string() }),
  needsApproval: true,
  execute: async ({ server }) => `${server} is up again.`,
});
const agent = new Agent({ name: 'Operator', instructions: 'You keep servers running.', tools: [restart] });

const { finalOutput } = await runWithPeople(hp, agent, 'The site is slow.', {
  thread,
  run: JOB,
  question: ({ arguments: { server } }) => ({ title: `Restart ${server}?` }),
  keep: {
    load: () => readFile(STATE_FILE, 'utf8').catch(() => undefined),
    save: (state) => writeFile(STATE_FILE, state),
  },
});
console.log(finalOutput);
