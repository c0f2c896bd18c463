/** For the OpenAI Agents SDK: interruptions become approvals, and a run continues from its stored state. */
import type { Holdpoint } from '@holdpoint/client';
import { defined, type FreeObject, hasCode, isObject, onFault } from '@holdpoint/protocol';
import {
  type Agent,
  type AgentInputItem,
  Runner,
  type RunResult,
  RunState,
  type RunToolApprovalItem,
  tool,
} from '@openai/agents';
import { type ApproveOptions, approveCall, asArguments, asInput, parsed } from './shared/approvals.ts';
import { askOnce, type Place } from './shared/ask-once.ts';
import {
  type AskHumanOptions,
  askHumanDescription,
  type HumanQuestion,
  humanQuestionSchema,
  toQuestion,
} from './shared/human-question.ts';
import { editNotice, refusalOf, summaryOf } from './shared/outcomes.ts';

export { type ApproveOptions, editableArguments, type ToolCall } from './shared/approvals.ts';
export type { Place };

/** Stores the state of one run. The state has the whole conversation, so your code stores it, not the server. */
export interface KeptState {
  load(): Promise<string | undefined>;
  save(state: string): Promise<void>;
}

export interface RunWithPeople extends ApproveOptions {
  keep: KeptState;
  /** Your own runner, with its models and settings. */
  runner?: Runner;
}

/**
 * Runs an agent to its end and asks people on the way. The state is stored before each question, and a stored run continues
 * from there. Delete the stored state once you have the result.
 */
export async function runWithPeople<A extends AnyAgent>(
  hp: Holdpoint,
  agent: A,
  input: string | AgentInputItem[],
  { keep, runner = new Runner(), ...options }: RunWithPeople,
): Promise<RunResult<undefined, A>> {
  const signal = defined({ signal: options.signal });
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
 * Asks about all interruptions, and returns the state to run again when all questions are closed. Store the state before
 * (`state.toString()`): a call with the same state finds the same questions.
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
    // An interruption without a question stays open.
    if (!call || call.toolCallId !== callIdOf(item)) continue;
    if (approval?.approved === false) next.reject(item, { message: refusalOf(approval.outcome) });
    else next.approve(item);
  }
  return next;
}

export interface AskHumanToolOptions extends AskHumanOptions {
  name?: string;
}

type OwnQuestion = (item: RunToolApprovalItem, signal?: AbortSignal) => Promise<void>;
const ownQuestions = new WeakMap<object, OwnQuestion>();

/**
 * A tool with which the model asks a question of its own. Each call interrupts the run, so that the state is stored before
 * the question. `answerInterruptions` asks, and the tool then finds the answer.
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
    // The server rejects properties that it does not know.
    parameters: { ...humanQuestionSchema, additionalProperties: true },
    needsApproval: true,
    errorFunction: (_context, error) => {
      if (hasCode(error, 'invalid-input')) return error.message;
      throw error;
    },
    async execute(_args, _context, details) {
      const { arguments: text = '', callId = '' } = details?.toolCall ?? {};
      return JSON.stringify(summaryOf(await ask(text, callId, details?.signal)));
    },
  });
  ownQuestions.set(asking, async (item, signal) => {
    // The tool gets the same error and tells the model.
    await onFault(
      'invalid-input',
      () => ask(item.arguments ?? '', callIdOf(item), signal),
      () => undefined,
    );
  });
  return asking;
}

const ownQuestion = ({ agent, name }: RunToolApprovalItem): OwnQuestion | undefined => {
  const called = agent.tools.find((each) => each.name === name);
  return called && ownQuestions.get(called);
};

const callIdOf = ({ rawItem }: RunToolApprovalItem): string =>
  ('callId' in rawItem ? rawItem.callId : rawItem.id) ?? '';

/** Only the arguments of a function can be edited. Any other action, such as a shell command, runs as proposed or not at all. */
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

// biome-ignore lint/suspicious/noExplicitAny: an agent of any context and output, as in the SDK's own types.
export type AnyAgent = Agent<any, any>;

export interface Edit {
  tool: string;
  toolCallId: string;
  proposed: unknown;
  edited: unknown;
}

/**
 * The SDK accepts no arguments with an approval: it runs the call in the state. So this replaces the call by the one that
 * the person approved, which the tool’s schema checks again. The model gets a notice of the edit before it continues.
 */
export async function withEdits<Context, A extends AnyAgent>(
  agent: A,
  state: RunState<Context, A>,
  edits: readonly Edit[],
): Promise<RunState<Context, A>> {
  const notices = edits.map(({ tool, proposed, edited }) => editNotice(tool, proposed, edited));
  const rewritten = edits.reduce<unknown>(rewrite, JSON.parse(state.toString()));
  const changed = JSON.stringify(takesInput(state) ? rewritten : withInput(rewritten, notices));
  const next = await RunState.fromStringWithContext<Context, A>(agent, changed, state._context, {
    contextStrategy: 'replace',
  });
  if (takesInput(next)) for (const text of notices) addNotice(next, text);
  return next;
}

/** Since version 0.15 the SDK accepts more input for a stored run. */
const takesInput = (state: object): state is { addInput(text: string): void } => 'addInput' in state;

/** For older versions: adds the texts to the input at the start of the run. */
function withInput(state: unknown, texts: readonly string[]): unknown {
  if (!isObject(state)) return state;
  const { originalInput: input } = state;
  const message = (content: unknown) => ({ type: 'message', role: 'user', content });
  const begun = Array.isArray(input) ? input : [message(input)];
  return { ...state, originalInput: [...begun, ...texts.map(message)] };
}

/** Replaces the call in all its places: the history, the pending calls, and the stored run of an agent that is a tool. */
function rewrite(value: unknown, edit: Edit): unknown {
  if (typeof value === 'string') {
    const inner = value.startsWith('{') && value.includes(edit.toolCallId) ? parsed(value) : value;
    return inner === value ? value : JSON.stringify(rewrite(inner, edit));
  }
  if (Array.isArray(value)) return value.map((each) => rewrite(each, edit));
  if (!isObject(value)) return value;
  if (value.type === 'function_call' && value.callId === edit.toolCallId)
    return { ...value, arguments: JSON.stringify(edit.edited) } satisfies FreeObject;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rewrite(each, edit)]));
}

function addNotice(state: { addInput(text: string): void }, text: string): void {
  try {
    state.addInput(text);
  } catch {
    // The tool’s result ends the run, so no model would read it.
  }
}
