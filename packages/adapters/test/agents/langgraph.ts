/** A graph whose model calls a tool that asks a person, with a checkpointer that outlives the process. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approval } from '@holdpoint/protocol';
import { Annotation, END, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph';
import { hold, runWithPeople } from '../../src/langgraph.ts';
import type { OutcomeSummary } from '../../src/shared/outcomes.ts';
import { deadlineOf, hp, modelUrl, questions, stateFolder, tell, thread } from './environment.ts';

/** MemorySaver, saved to a file at every write. */
class FileSaver extends MemorySaver {
  readonly #file = join(stateFolder, 'checkpoints.json');

  constructor() {
    super();
    try {
      const { storage, writes } = JSON.parse(readFileSync(this.#file, 'utf8'), revive);
      Object.assign(this.storage, storage);
      Object.assign(this.writes, writes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }

  override async put(...args: Parameters<MemorySaver['put']>) {
    const result = await super.put(...args);
    this.#save();
    return result;
  }

  override async putWrites(...args: Parameters<MemorySaver['putWrites']>) {
    await super.putWrites(...args);
    this.#save();
  }

  #save() {
    const { storage, writes } = this;
    writeFileSync(`${this.#file}.new`, JSON.stringify({ storage, writes }, replace));
    renameSync(`${this.#file}.new`, this.#file);
  }
}

const replace = (_: string, value: unknown) =>
  value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value;
const revive = (_: string, value: { base64?: string } | null) =>
  typeof value?.base64 === 'string' ? new Uint8Array(Buffer.from(value.base64, 'base64')) : value;

interface ToolCall {
  id: string;
  function: { name: string; arguments: string };
}

const State = Annotation.Root({
  calls: Annotation<ToolCall[]>,
  results: Annotation<{ id: string; outcome: OutcomeSummary }[]>({
    reducer: (all, more) => all.concat(more),
    default: () => [],
  }),
  text: Annotation<string>,
});

async function callModel({ calls, results }: typeof State.State) {
  const messages = [
    { role: 'user', content: JSON.stringify(questions) },
    ...(calls?.length ? [{ role: 'assistant', content: null, tool_calls: calls }] : []),
    ...results.map(({ id, outcome }) => ({ role: 'tool', tool_call_id: id, content: JSON.stringify(outcome) })),
  ];
  const tools = [{ type: 'function', function: { name: 'ask', parameters: { type: 'object' } } }];
  const body = JSON.stringify({ model: 'fake', messages, tools });
  const response = await fetch(`${modelUrl}/chat/completions`, { method: 'POST', body });
  const { choices } = (await response.json()) as {
    choices: [{ message: { content: string; tool_calls?: ToolCall[] } }];
  };
  const [{ message }] = choices;
  return message.tool_calls ? { calls: message.tool_calls } : { text: message.content };
}

function askPerson({ id, function: { arguments: args } }: ToolCall) {
  const question = JSON.parse(args);
  const { title } = question;
  return { results: [{ id, outcome: hold(approval({ title, arguments: { title }, ...deadlineOf(question) })) }] };
}

const graph = new StateGraph(State)
  .addNode('model', callModel)
  .addNode('ask', askPerson, {
    input: Annotation.Root({ id: Annotation<string>, function: Annotation<ToolCall['function']> }),
  })
  .addEdge(START, 'model')
  .addConditionalEdges('model', ({ text, calls }) => (text ? END : calls.map((call) => new Send('ask', call))), [
    'ask',
    END,
  ])
  .addEdge('ask', 'model')
  .compile({ checkpointer: new FileSaver() });

const config = { configurable: { thread_id: 'release-1' } };
const { text } = await runWithPeople(hp, graph, {}, { thread, config });
tell(JSON.parse(text));
