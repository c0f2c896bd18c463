/** An AG-UI agent over HTTP that ends its first run with interrupts, and a client that asks people and keeps what it needs to go on. */
import { join } from 'node:path';
import { HttpAgent } from '@ag-ui/client';
import { type BaseEvent, EventType, type RunAgentInput } from '@ag-ui/core';
import { approval } from '@holdpoint/protocol';
import { runWithPeople } from '../../src/ag-ui.ts';
import { startAgUi } from '../ag-ui-server.ts';
import { hp, questions, stateFolder, tell, thread } from './environment.ts';
import { fileKeep } from './file-keep.ts';

async function* askOrTell({ threadId, runId, resume }: RunAgentInput): AsyncGenerator<BaseEvent> {
  yield { type: EventType.RUN_STARTED, threadId, runId };
  const interrupts = questions.map(({ title, deadlineMs }) => ({
    id: `question ${title}`,
    reason: 'confirmation',
    message: title,
    metadata: { holdpoint: approval({ title, arguments: { title } }) },
    ...(deadlineMs === undefined ? {} : { expiresAt: new Date(Date.now() + deadlineMs).toISOString() }),
  }));
  const outcomes = resume?.map(({ interruptId, payload, metadata }) => {
    const title = interruptId.replace('question ', '');
    return [title, payload ? { status: 'answered', values: payload } : metadata?.holdpoint];
  });
  const end = outcomes
    ? { outcome: { type: 'success' }, result: Object.fromEntries(outcomes) }
    : { outcome: { type: 'interrupt', interrupts } };
  yield { type: EventType.RUN_FINISHED, threadId, runId, ...end };
}

const keep = fileKeep(join(stateFolder, 'agent.json'));
await using server = await startAgUi(askOrTell);
const agent = new HttpAgent({ url: server.url });
Object.assign(agent, JSON.parse((await keep.load()) ?? '{}'));

const { result } = await runWithPeople(hp, agent, {
  thread,
  onHold: ({ threadId, messages, state, pendingInterrupts }) =>
    keep.save(JSON.stringify({ threadId, messages, state, pendingInterrupts })),
});
tell(result);
