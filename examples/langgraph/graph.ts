/** A graph that writes, asks an editor, and writes again with the editor's wish, until the editor agrees. */
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
    const outcome = hold(form(review, { title: 'Publish this?', body: draft }));
    if (outcome.status !== 'answered') throw new Error(`The review was ${outcome.status}.`);
    return { wish: outcome.values.wish ?? '' };
  })
  .addEdge(START, 'write')
  .addEdge('write', 'review')
  .addConditionalEdges('review', ({ wish }) => (wish ? 'write' : END), ['write', END])
  .compile({ checkpointer: new MemorySaver() }); // use one that outlives the process

const thread = await hp.createThread({ title: 'Posts' });
const config = { configurable: { thread_id: JOB } };
const { draft } = await runWithPeople(hp, graph, { topic: 'bread' }, { thread, config });
console.log(`published: ${draft}`);
