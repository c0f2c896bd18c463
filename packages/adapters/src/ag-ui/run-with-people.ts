/** Runs any AG-UI agent to its end. When it stops with interrupts, people are asked, and it resumes with their answers. */
import type { AbstractAgent, AgentSubscriber, RunAgentParameters, RunAgentResult } from '@ag-ui/client';
import type { Interrupt, Message, ResumeEntry } from '@ag-ui/core';
import type { Holdpoint } from '@holdpoint/client';
import {
  approval,
  defined,
  type FreeObject,
  type Interaction,
  isObject,
  outcomeOf,
  type ReadingOptions,
} from '@holdpoint/protocol';
import { editableArguments, parsed, readApproval } from '../shared/approvals.ts';
import { type Question, type WaitOptions, waitOnce } from '../shared/ask-once.ts';
import { contentOf, deadlineAt, payloadQuestion, summaryOf, textQuestion, wordsOf } from '../shared/outcomes.ts';

export interface RunOptions extends WaitOptions {
  parameters?: Omit<RunAgentParameters, 'resume'>;
  subscriber?: AgentSubscriber;
  /**
   * Called before the questions are asked. Store the agent's threadId, messages, state and pendingInterrupts. An agent that
   * gets them back after a crash continues with the same questions.
   */
  onHold?: (agent: AbstractAgent) => void | Promise<void>;
}

/** An agent with pending interrupts continues from them. Throws if a run ends with an error. */
export async function runWithPeople(
  hp: Holdpoint,
  agent: AbstractAgent,
  { parameters = {}, subscriber, onHold, ...options }: RunOptions,
): Promise<RunAgentResult> {
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
    const place = { ...options, run: agent.threadId, at: ['interrupt', interrupt.id] };
    const { countDeadlineAsApproval } = options;
    const closed = await waitOnce(hp, questionOf(interrupt, agent.messages), place);
    return resumeOf(interrupt, closed, { countDeadlineAsApproval });
  }
}

/** The form in which the agent gets the answer: values, a payload of its schema, a text, or yes and no. */
type Form = 'values' | 'payload' | 'text' | 'approved' | 'boolean';

export function questionOf(interrupt: Interrupt, messages: readonly Message[] = []): Question {
  const { message, reason, expiresAt } = interrupt;
  const deadline = deadlineAt(expiresAt);
  const words = { ...wordsOf(message ?? '', reason), ...deadline };
  switch (formOf(interrupt)) {
    case 'values':
      return { ...contentOf(interrupt.metadata?.holdpoint as FreeObject), ...deadline };
    case 'payload':
      return payloadQuestion(interrupt.responseSchema as FreeObject, words).question;
    case 'text':
      return textQuestion(words).question;
    case 'boolean':
    case 'approved': {
      const args = argumentsOf(interrupt, messages);
      const fields = mayEdit(interrupt) ? editableArguments(args) : {};
      return approval({ ...words, ...(Object.keys(args).length > 0 ? { arguments: args } : {}), fields });
    }
  }
}

/** `metadata.holdpoint` has the exact outcome: AG-UI itself can only say answered or cancelled. */
export function resumeOf(
  interrupt: Interrupt,
  closed: Interaction,
  { now = new Date(), ...reading }: ReadingOptions & { now?: Date } = {},
): ResumeEntry {
  const { id: interruptId, expiresAt } = interrupt;
  const outcome = outcomeOf<FreeObject>(closed, reading);
  const metadata = { holdpoint: { interactionId: closed.id, ...summaryOf(outcome) } };
  const form = formOf(interrupt);
  const isVerdict = form === 'approved' || form === 'boolean';
  // AG-UI rejects an answer after the interrupt has expired, even one that was given before.
  const isLate = expiresAt !== undefined && new Date(expiresAt) <= now;
  const isSaid = outcome.status === 'answered' || (isVerdict && outcome.status === 'declined');
  if (isLate || !isSaid) return { interruptId, status: 'cancelled', metadata };
  return { interruptId, status: 'resolved', payload: payloadOf(), metadata };

  function payloadOf(): unknown {
    const { approved, arguments: editedArgs, edited } = readApproval(outcome);
    if (form === 'boolean') return approved;
    if (form === 'approved') return { approved, ...(approved && edited ? { editedArgs } : {}) };
    if (form === 'payload') return closed.answer?.payload;
    return form === 'text' ? closed.answer?.values.text : closed.answer?.values;
  }
}

function formOf({ reason, responseSchema, metadata }: Interrupt): Form {
  if (isObject(metadata?.holdpoint) && typeof metadata.holdpoint.title === 'string')
    return metadata.holdpoint.payloadSchema ? 'payload' : 'values';
  if (propertiesOf(responseSchema)?.approved !== undefined) return 'approved';
  if (responseSchema?.type === 'boolean') return 'boolean';
  if (responseSchema) return 'payload';
  if (reason === 'tool_call') return 'approved';
  return reason === 'confirmation' ? 'boolean' : 'text';
}

const propertiesOf = (schema: Interrupt['responseSchema']): FreeObject | undefined =>
  isObject(schema?.properties) ? schema.properties : undefined;

const mayEdit = ({ responseSchema }: Interrupt): boolean => propertiesOf(responseSchema)?.editedArgs !== undefined;

export const toolCallsIn = (messages: readonly Message[]) =>
  messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));

function argumentsOf({ toolCallId }: Interrupt, messages: readonly Message[]): FreeObject {
  const call = toolCallsIn(messages).find(({ id }) => id === toolCallId);
  if (!call) return {};
  const args = parsed(call.function.arguments);
  return isObject(args) ? args : { arguments: args };
}
