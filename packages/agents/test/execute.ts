/** Executes a function on the service in memory, as a worker would when something has come. */
import type { Run } from '@holdpoint/protocol';
import { type AgentContext, agent } from '../src/agent.ts';
import { executeRun } from '../src/engine/execute-run.ts';
import type { MemoryService } from './memory-service.ts';

export type Program = (ctx: AgentContext) => Promise<unknown>;

export async function execute(memory: MemoryService, program: Program): Promise<Run> {
  const run = memory.resume();
  const { signal } = new AbortController();
  await executeRun({ service: memory.service, agent: agent('a', program), run, now: () => memory.now, signal });
  return memory.run;
}
