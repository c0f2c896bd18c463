/**
 * Sends a form during a call (elicitation/create) to a client of a version before 2026-07-28, and turns the reply to any
 * form into an answer. The id of the request is a sealed state that names the question, so any node takes the reply, also
 * after a restart and after the call gave up waiting.
 */
import {
  defined,
  type FreeObject,
  hasCode,
  type Interaction,
  isInputField,
  isObject,
  type Problem,
  sentenceOf,
  tokensOf,
  visibleText,
} from '@holdpoint/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.ts';
import { type Asking, showOutcome, waitForHuman } from './asking.ts';
import { elicitedForm, elicitedValues } from './elicited-form.ts';
import type { FormChannel, FormReply } from './form-channel.ts';
import { answersAs } from './open-question.ts';
import type { StateClaims } from './request-states.ts';

/** Stops a client that answers every form at once from looping forever. */
const mostForms = 10;

/** Shows the question in the client and waits until it is closed, there or elsewhere, or until the time limit. */
export async function askBySentForm(
  asking: Asking,
  channel: FormChannel,
  interaction: Interaction,
): Promise<CallToolResult> {
  const endAt = performance.now() + asking.waitSeconds * 1_000;
  let [shown, remark] = [interaction, ''];
  for (let forms = 0; shown.status === 'pending' && forms < mostForms; forms++) {
    const form = (await answersAs(asking.caller, shown)) ? elicitedForm(shown, channel.dialect) : undefined;
    if (!form) break;
    const message = remark ? `${remark}\n\n${form.message}` : form.message;
    const round = await untilReply(asking, channel, shown, { ...form, message }, endAt);
    shown = round.interaction;
    if (round.reply?.kind !== 'again') return showOutcome(shown);
    remark = round.reply.remark;
  }
  if (shown.status !== 'pending') return showOutcome(shown);
  return waitForHuman({ ...asking, waitSeconds: Math.max(0, endAt - performance.now()) / 1_000 }, shown.id);
}

/** Sends one form. Returns the question after the wait, and the reply if it did not close the question. */
async function untilReply(
  { caller, signal, whileWaiting }: Asking,
  { dialect, send }: FormChannel,
  { id: interactionId, digest }: Interaction,
  params: object,
  endAt: number,
): Promise<{ interaction: Interaction; reply: FormReply | undefined }> {
  const mode = dialect === 'plain' ? 'plain-form' : 'form';
  const { id, state } = caller.states.seal({ interactionId, digest: digest ?? null, mode });
  const replied = new AbortController();
  let reply: FormReply | undefined;
  const stop = caller.replies.listen(id, (heard) => {
    reply = heard;
    replied.abort();
  });
  try {
    const named = dialect === 'plain' ? params : { mode: 'form', ...params };
    await send({ jsonrpc: '2.0', id: state, method: 'elicitation/create', params: { ...named } });
    const timeoutMs = Math.max(0, Math.ceil(endAt - performance.now()));
    const ends = AbortSignal.any([signal, replied.signal]);
    const waited = caller.service.waitForInteraction({ interactionId, timeoutMs, signal: ends });
    const interaction = await whileWaiting(waited).catch((error: unknown) => {
      // An aborted wait over HTTP fails.
      if (ends.aborted) return caller.service.getInteraction({ interactionId });
      throw error;
    });
    // Withdraws the form of a closed question. After a timeout the form stays, and its reply still answers.
    if (interaction.status !== 'pending' || signal.aborted)
      await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: state } });
    return { interaction, reply: interaction.status === 'pending' ? reply : undefined };
  } finally {
    stop();
  }
}

/** A message that answers a request of the server. */
export interface RpcReply {
  id: unknown;
  result?: unknown;
}

export function isRpcReply(message: unknown): message is RpcReply {
  return isObject(message) && !('method' in message) && ('result' in message || 'error' in message);
}

/** Reads the reply to a form. Returns false if no form of this caller waits for it. */
export async function takeReply(caller: McpCaller, { id, result }: RpcReply): Promise<boolean> {
  const claims = typeof id === 'string' ? caller.states.open(id) : undefined;
  if (!claims) return false;
  const { interactionId } = claims;
  // Loads before it uses up the state. Otherwise a failing store would lose the values that the user entered.
  const interaction = await caller.service.getInteraction({ interactionId });
  if (!(await caller.states.use(claims))) return false;
  const said = readSaid(result);
  // If the client cannot show the form, others can answer, and the call continues to wait.
  if (!said || interaction.status !== 'pending') return true;
  const settled = await settleForm(caller, interaction, claims, said);
  if (settled.kind !== 'closed') caller.replies.publish(claims.id, settled);
  return true;
}

const actions = ['accept', 'decline', 'cancel'];

function readSaid(result: unknown): Said | undefined {
  if (!isObject(result) || !actions.includes(String(result.action))) return undefined;
  const content: FreeObject = isObject(result.content) ? result.content : {};
  return { action: result.action as Said['action'], content };
}

/** The user's reply to the form. */
export interface Said {
  action: 'accept' | 'decline' | 'cancel';
  content?: FreeObject | undefined;
}

type Settled = { kind: 'closed'; interaction: Interaction } | FormReply;

export const changed = { kind: 'again', remark: 'The question has changed since it was shown.' } as const;

/** Answers a pending question, which was loaded before its state was used up. */
export async function settleForm(
  caller: McpCaller,
  interaction: Interaction,
  { digest: shown, mode }: StateClaims,
  said: Said,
): Promise<Settled> {
  const { id: interactionId, digest } = interaction;
  if ((digest ?? null) !== shown) return changed;
  // A closed form is no decline. Others may still answer.
  if (said.action === 'cancel') return { kind: 'left' };
  const responder = await answersAs(caller, interaction);
  // A user who declines to open a page may not be an assignee.
  if (!responder) return { kind: 'left' };
  const { service } = caller;
  const answer = { interactionId, ...responder, ...defined({ digest }) };
  try {
    if (said.action === 'decline') return { kind: 'closed', interaction: await service.declineInteraction(answer) };
    const values = elicitedValues(said.content ?? {}, mode === 'plain-form' ? interaction : undefined);
    return { kind: 'closed', interaction: await service.submitAnswer({ ...answer, values }) };
  } catch (error) {
    if (hasCode(error, 'invalid-answer')) return { kind: 'again', remark: remarkOf(interaction, error.fault) };
    if (hasCode(error, 'question-changed')) return changed;
    const latest = await service.getInteraction({ interactionId });
    if (latest.status === 'pending') throw error;
    return { kind: 'closed', interaction: latest };
  }
}

/** A message between nodes has at most 7,500 bytes. */
const most = { name: 100, remark: 2_000 };

/** Names fields by their labels. A question with one field needs no name. */
function remarkOf(
  { fields }: Interaction,
  { problems = [], detail }: { problems?: readonly Problem[]; detail: string },
): string {
  if (problems.length === 0) return detail.slice(0, most.remark);
  const inputs = fields.filter(isInputField);
  const labels = new Map(inputs.map(({ name, label }) => [name, label ?? name]));
  const sentences = sentenceOf(problems, ({ pointer }) => {
    const [, name = ''] = tokensOf(pointer);
    return inputs.length > 1 ? (labels.get(name) ?? name).slice(0, most.name) : '';
  });
  return visibleText(sentences).slice(0, most.remark);
}
