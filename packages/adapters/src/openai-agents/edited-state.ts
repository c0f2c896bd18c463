/** The state of a run with the arguments that a person approved in the place of those the model proposed. */
import { type FreeObject, isObject } from '@holdpoint/protocol';
import { type Agent, RunState } from '@openai/agents';
import { parsed } from '../shared/parsed.ts';
import { tellEdit } from '../shared/tell-outcome.ts';

// biome-ignore lint/suspicious/noExplicitAny: an agent of any context and output, as the SDK itself says it.
export type AnyAgent = Agent<any, any>;

export interface Edit {
  tool: string;
  toolCallId: string;
  proposed: unknown;
  edited: unknown;
}

/**
 * The SDK takes no arguments with an approval, and runs what stands in the state. So the call there becomes what the person
 * approved, checked again by the tool’s schema, and the model is told of it before it goes on.
 */
export async function withEdits<Context, A extends AnyAgent>(
  agent: A,
  state: RunState<Context, A>,
  edits: readonly Edit[],
): Promise<RunState<Context, A>> {
  const told = edits.map(({ tool, proposed, edited }) => tellEdit(tool, proposed, edited));
  const rewritten = edits.reduce<unknown>(rewrite, JSON.parse(state.toString()));
  const changed = JSON.stringify(takesInput(state) ? rewritten : withInput(rewritten, told));
  const next = await RunState.fromStringWithContext<Context, A>(agent, changed, state._context, {
    contextStrategy: 'replace',
  });
  if (takesInput(next)) for (const text of told) tellModel(next, text);
  return next;
}

/** The SDK takes more input for a kept run since its version 0.15. */
const takesInput = (state: object): state is { addInput(text: string): void } => 'addInput' in state;

/** Before the call instead, where the input of the run stands. */
function withInput(state: unknown, texts: readonly string[]): unknown {
  if (!isObject(state)) return state;
  const { originalInput: input } = state;
  const message = (content: unknown) => ({ type: 'message', role: 'user', content });
  const begun = Array.isArray(input) ? input : [message(input)];
  return { ...state, originalInput: [...begun, ...texts.map(message)] };
}

/** Wherever the call stands: in the history, among what is to be run, and in the kept run of an agent that is a tool. */
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

function tellModel(state: { addInput(text: string): void }, text: string): void {
  try {
    state.addInput(text);
  } catch {
    // No model is called any more: the tool’s result ends the run.
  }
}
