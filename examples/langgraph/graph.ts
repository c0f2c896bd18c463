/** A graph that holds until an editor is content: it writes, asks, and writes again with what the editor said. */
import { hold, runWithPeople } from '@holdpoint/adapters/langgraph';
import { form, Holdpoint, select, textarea } from '@holdpoint/client';
import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '', JOB = 'post-1' } = process.env;
const hp = new Holdpoint({ url, key });
const State = Annotation.Root({ topic: Annotation<string>, wish: Annotation<string>, draft: Annotation<string> });

const ifChange = { all_of: [{ field: 'verdict', op: 'equals' as const, value: 'change' }] };
const review = {
  verdict: select(['publish', 'change']),
  wish: textarea({ label: 'What to change', visibleIf: ifChange }),
};

const graph = new StateGraph(State)
  // Your model writes here.
  .addNode('write', ({ topic, wish }) => ({ draft: `A post about ${topic}${wish ? `, ${wish}` : ''}.` }))
  .addNode('review', ({ draft }) => {
    const told = hold(form(review, { title: 'Publish this?', body: draft }));
    if (told.status !== 'answered') throw new Error(`The review was ${told.status}.`);
    return { wish: told.values.wish ?? '' };
  })
  .addEdge(START, 'write')
  .addEdge('write', 'review')
  .addConditionalEdges('review', ({ wish }) => (wish ? 'write' : END), ['write', END])
  .compile({ checkpointer: new MemorySaver() }); // in earnest one that outlives the process

const thread = await hp.createThread({ title: 'Posts' });
const config = { configurable: { thread_id: JOB } };
const { draft } = await runWithPeople(hp, graph, { topic: 'bread' }, { thread, config });
console.log(`published: ${draft}`);
