/** Runs an AG-UI agent to its end: where it stops with interrupts, people are asked, and it is resumed with what they said. */

import type { AbstractAgent, AgentSubscriber, RunAgentParameters, RunAgentResult } from '@ag-ui/client';
import type { Interrupt, ResumeEntry } from '@ag-ui/core';
import type { Holdpoint } from '@holdpoint/client';
import type { ReadingOptions } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { createOnce, type Place } from '../shared/ask-once.ts';
import { questionOf, resumeOf } from './question-of.ts';

export interface RunOptions extends ReadingOptions {
  /** Of Holdpoint: where the questions stand. */
  thread: Place['thread'];
  parameters?: Omit<RunAgentParameters, 'resume'>;
  subscriber?: AgentSubscriber;
  /**
   * Called before anybody is asked. Who keeps the agent's threadId, messages, state and pendingInterrupts here, and puts
   * them back into an agent after a crash, goes on with the same questions.
   */
  onHold?: (agent: AbstractAgent) => void | Promise<void>;
  signal?: AbortSignal;
}

/** An agent with pending interrupts goes on from them. A run that ends with an error is one here. */
export async function runWithPeople(
  hp: Holdpoint,
  agent: AbstractAgent,
  { thread, parameters = {}, subscriber, onHold, signal, countDeadlineAsApproval }: RunOptions,
): Promise<RunAgentResult> {
  const waiting = signal ? { signal } : {};
  let last = agent.pendingInterrupts.length > 0 ? undefined : await run();
  while (agent.pendingInterrupts.length > 0 || !last) {
    await onHold?.(agent);
    last = await run(await Promise.all(agent.pendingInterrupts.map(answer)));
  }
  return last;

  async function run(resume?: ResumeEntry[]): Promise<RunAgentResult> {
    const errors: string[] = [];
    const listener = agent.subscribe({ onRunErrorEvent: ({ event }) => void errors.push(event.message) });
    try {
      const result = await agent.runAgent({ ...parameters, ...defined({ resume }) }, subscriber);
      if (errors.length > 0) throw new Error(`The agent ended its run with an error: ${errors.join(' ')}`);
      return result;
    } finally {
      listener.unsubscribe();
    }
  }

  async function answer(interrupt: Interrupt): Promise<ResumeEntry> {
    const at = { thread, run: agent.threadId, at: ['interrupt', interrupt.id] };
    const asked = await createOnce(hp, questionOf(interrupt, agent.messages), at);
    return resumeOf(interrupt, await hp.wait(asked, waiting), { countDeadlineAsApproval });
  }
}
