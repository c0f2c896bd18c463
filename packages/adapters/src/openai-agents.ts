/** For the OpenAI Agents SDK: interruptions become approvals, and a run goes on from its kept state. */
import type { Holdpoint } from '@holdpoint/client';
import { type CreateInteraction, type FreeObject, HoldpointError, type ReadingOptions } from '@holdpoint/protocol';
import { type AgentInputItem, Runner, type RunResult, RunState, type RunToolApprovalItem, tool } from '@openai/agents';
import { type AnyAgent, withEdits } from './openai-agents/edited-state.ts';
import { type ApproveOptions, approveCall, asArguments, asInput } from './shared/approve-call.ts';
import { askOnce, type Place } from './shared/ask-once.ts';
import { askHumanDescription, type HumanQuestion, humanQuestionSchema, toQuestion } from './shared/human-question.ts';
import { parsed } from './shared/parsed.ts';
import { tellOutcome, tellRefusal } from './shared/tell-outcome.ts';

export type { ApproveOptions, ToolCall } from './shared/approve-call.ts';
export { editableArguments } from './shared/editable-arguments.ts';
export type { Place };

/** Where the state of one run is kept. It has the whole conversation in it, so it is the author’s to keep, not the server’s. */
export interface KeptState {
  load(): Promise<string | undefined>;
  save(state: string): Promise<void>;
}

export interface RunWithPeople extends ApproveOptions {
  keep: KeptState;
  /** The author’s own, with its models and settings. */
  runner?: Runner;
}

/**
 * Runs an agent to its end, with people asked on the way. The state is kept before anybody is asked, and a run that was
 * kept goes on from there. Who has noted the result should drop what was kept.
 */
export async function runWithPeople<A extends AnyAgent>(
  hp: Holdpoint,
  agent: A,
  input: string | AgentInputItem[],
  { keep, runner = new Runner(), ...options }: RunWithPeople,
): Promise<RunResult<undefined, A>> {
  const signal = options.signal ? { signal: options.signal } : {};
  const kept = await keep.load();
  let state: RunState<undefined, A> | undefined =
    kept === undefined ? undefined : await RunState.fromString<undefined, A>(agent, kept);
  for (;;) {
    const next = state ? await answerInterruptions(hp, agent, state, options) : input;
    const result: RunResult<undefined, A> = await runner.run(agent, next, signal);
    if (result.interruptions.length === 0) return result;
    state = result.state;
    await keep.save(state.toString());
  }
}

/**
 * Asks for each interruption, all at once, and comes back when all are closed, with the state to run again. Keep the state
 * before (`state.toString()`): started again with it, it finds its questions.
 */
export async function answerInterruptions<Context, A extends AnyAgent>(
  hp: Holdpoint,
  agent: A,
  state: RunState<Context, A>,
  options: ApproveOptions,
): Promise<RunState<Context, A>> {
  const answered = await Promise.all(
    state.getInterruptions().map(async (item) => {
      const call = callOf(item);
      const own = ownQuestion(item);
      if (!own) return { call, approval: await approveCall(hp, call, options) };
      await own(item, options.signal);
      return { call, approval: undefined };
    }),
  );
  const edits = answered.flatMap(({ call, approval }) =>
    approval?.edited ? [{ ...call, edited: asInput(approval.arguments, call.proposed) }] : [],
  );
  const next = edits.length === 0 ? state : await withEdits(agent, state, edits);
  for (const [index, item] of next.getInterruptions().entries()) {
    const { call, approval } = answered[index] ?? {};
    // One that nobody was asked about stays open.
    if (!call || call.toolCallId !== callIdOf(item)) continue;
    if (approval?.approved === false) next.reject(item, { message: tellRefusal(approval.outcome) });
    else next.approve(item);
  }
  return next;
}

export interface AskHumanToolOptions extends Place, ReadingOptions {
  name?: string;
  /** Adds what the model does not decide: a deadline, who may answer. */
  amend?: (question: CreateInteraction) => CreateInteraction;
}

type OwnQuestion = (item: RunToolApprovalItem, signal?: AbortSignal) => Promise<void>;
const ownQuestions = new WeakMap<object, OwnQuestion>();

/**
 * A tool with which the model asks what it likes. Each call interrupts the run, so that the state is kept before the person
 * is asked; `answerInterruptions` asks, and the tool itself then finds the answer.
 */
export function askHumanTool(hp: Holdpoint, { name = 'ask_human', amend = (q) => q, ...place }: AskHumanToolOptions) {
  const ask = (text: string, toolCallId: string, signal?: AbortSignal) => {
    const question = amend(toQuestion(asArguments(parsed(text)) as unknown as HumanQuestion));
    return askOnce(hp, question, { ...place, at: ['call', toolCallId, text], toolCallId, signal });
  };
  const asking = tool({
    name,
    description: askHumanDescription,
    strict: false,
    // What more a model gives is for the server to refuse.
    parameters: { ...humanQuestionSchema, additionalProperties: true },
    needsApproval: true,
    errorFunction: (_context, error) => {
      if (isNoQuestion(error)) return error.message;
      throw error;
    },
    async execute(_args, _context, details) {
      const { arguments: text = '', callId = '' } = details?.toolCall ?? {};
      return JSON.stringify(tellOutcome(await ask(text, callId, details?.signal)));
    },
  });
  ownQuestions.set(asking, async (item, signal) => {
    await ask(item.arguments ?? '', callIdOf(item), signal).catch((error: unknown) => {
      // The tool meets it again, and the model is told.
      if (!isNoQuestion(error)) throw error;
    });
  });
  return asking;
}

const isNoQuestion = (error: unknown): error is HoldpointError =>
  error instanceof HoldpointError && error.code === 'invalid-input';

const ownQuestion = ({ agent, name }: RunToolApprovalItem): OwnQuestion | undefined => {
  const called = agent.tools.find((each) => each.name === name);
  return called && ownQuestions.get(called);
};

const callIdOf = ({ rawItem }: RunToolApprovalItem): string =>
  ('callId' in rawItem ? rawItem.callId : rawItem.id) ?? '';

/** Only the arguments of a function can be changed: what else there is, such as a shell’s command, runs as it is or not at all. */
function callOf(item: RunToolApprovalItem) {
  const { rawItem, name, arguments: text } = item;
  const { id: _id, type, providerData: _data, ...action } = rawItem as FreeObject;
  const proposed = text === undefined ? action : parsed(text);
  return {
    tool: name ?? String(type),
    toolCallId: callIdOf(item),
    proposed,
    arguments: asArguments(proposed),
    isSealed: type !== 'function_call',
  };
}
