/**
 * A form that the server sends while a call runs (elicitation/create), to a client of a version before 2026-07-28. The id of
 * this request is a sealed state, so the reply says which question it answers: any node takes it, also after a restart and
 * after the call gave up waiting.
 */
import { type FreeObject, type Interaction, isObject } from '@holdpoint/protocol';
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpCaller } from '../mcp-caller.ts';
import { type Asking, tellOutcome, waitForHuman } from './asking.ts';
import { elicitedForm } from './elicited-form.ts';
import type { FormChannel, FormReply } from './form-channel.ts';
import { answersAs } from './open-question.ts';
import { type Said, settleForm } from './settle-form.ts';

/** A client that sends back whatever it is sent would be asked forever. */
const mostForms = 10;

/** Shows the question in the client and waits until it is answered, there or elsewhere, or until the time is up. */
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
    if (round.reply?.kind !== 'again') return tellOutcome(shown);
    remark = round.reply.remark;
  }
  if (shown.status !== 'pending') return tellOutcome(shown);
  return waitForHuman({ ...asking, waitSeconds: Math.max(0, endAt - performance.now()) / 1_000 }, shown.id);
}

/** One form: the question as it stands after the wait, and what the client said if that did not answer it. */
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
      // A wait over HTTP that is taken back is an error of its own.
      if (ends.aborted) return caller.service.getInteraction({ interactionId });
      throw error;
    });
    // The form is of no use any more. After a wait that ran out it is: its reply still answers the question.
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

/** Takes what a client says to a form; false where no form of this caller waits for it. */
export async function takeReply(caller: McpCaller, { id, result }: RpcReply): Promise<boolean> {
  const claims = typeof id === 'string' ? caller.states.open(id) : undefined;
  if (!claims) return false;
  const { interactionId } = claims;
  // Read before: a store that is away for a moment must not cost the person what they entered.
  const interaction = await caller.service.getInteraction({ interactionId });
  if (!(await caller.states.use(claims))) return false;
  const said = readSaid(result);
  // A client that cannot show the form leaves the question to everybody else; the call waits on.
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
