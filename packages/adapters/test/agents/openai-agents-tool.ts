/** An agent of the OpenAI Agents SDK that asks by a tool of ours, over the chat protocol. */
import { join } from 'node:path';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import { askHumanTool, runWithPeople } from '../../src/openai-agents.ts';
import { deadlineOf, hp, modelUrl, questions, stateFolder, tell, thread } from './environment.ts';
import { fileKeep } from './file-keep.ts';

const place = { thread, run: 'release-1' };
const options = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];
const ask = askHumanTool(hp, {
  ...place,
  amend: ({ title }) => ({
    title,
    kind: 'choice',
    options,
    ...deadlineOf(questions.find((q) => q.title === title) ?? {}),
  }),
});
const agent = new Agent({ name: 'releases', model: 'fake', tools: [ask] });
const modelProvider = new OpenAIProvider({ baseURL: modelUrl, apiKey: 'none', useResponses: false });

const { finalOutput } = await runWithPeople(hp, agent, JSON.stringify(questions), {
  ...place,
  keep: fileKeep(join(stateFolder, 'run.json')),
  runner: new Runner({ modelProvider, tracingDisabled: true }),
});
tell(JSON.parse(finalOutput ?? ''));
