/** Writes the arguments that a person approved into the state of a run. */
import { type FreeObject, isObject } from '@holdpoint/protocol';
import { type Agent, RunState } from '@openai/agents';
import { parsed } from '../shared/approvals.ts';
import { editNotice } from '../shared/outcomes.ts';

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
 * the person approved, which the tool’s schema checks again. The model reads of the edit before it continues.
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
