/** A worker of an agent that does one turn at a time, over the native verbs, as the case says. */
import type { World } from './world.ts';

export interface TurnOfCase {
  threadId: string;
  runId: string;
}

/**
 * Claims what waits for the agent, does what the case says, and leaves the run as that says: waiting for a question, or
 * ended. Meanwhile whoever sent the message waits for the turn.
 */
export async function workTurn(
  world: World,
  agent: string,
  work: (turn: TurnOfCase) => Promise<Record<string, unknown>>,
): Promise<TurnOfCase> {
  const workerId = `conformance-${crypto.randomUUID()}`;
  const { data } = await world.made('/v1/dispatch/claim', { workerId, agents: [agent], waitMs: 20_000, limit: 1 });
  const [batch] = data;
  if (!batch) throw new Error(`nothing came for the agent ${agent} within 20 s`);
  const { run } = await world.made(`/v1/dispatch/batches/${batch.id}/run`, { workerId });
  const turn = { threadId: run.threadId, runId: run.id };
  const outcome = await work(turn);
  await world.made(`/v1/runs/${run.id}/advance`, { expectedVersion: run.version, ...outcome });
  await world.made(`/v1/dispatch/batches/${batch.id}/complete`, { workerId });
  return turn;
}
