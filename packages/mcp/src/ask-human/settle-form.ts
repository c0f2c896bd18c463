/** Turns the reply to a form into an answer of the question. */
import {
  defined,
  type FreeObject,
  HoldpointError,
  type Interaction,
  isInputField,
  type Problem,
  sentenceOf,
  visibleText,
} from '@holdpoint/protocol';
import type { McpCaller } from '../mcp-caller.ts';
import { elicitedValues } from './elicited-form.ts';
import type { FormReply } from './form-channel.ts';
import { answersAs } from './open-question.ts';
import type { StateClaims } from './request-states.ts';

const hasCode = (error: unknown, ...codes: HoldpointError['code'][]): error is HoldpointError =>
  error instanceof HoldpointError && codes.includes(error.code);

/** The user's reply to the form. */
export interface Said {
  action: 'accept' | 'decline' | 'cancel';
  content?: FreeObject | undefined;
}

type Settled = { kind: 'closed'; interaction: Interaction } | FormReply;

export const changed = { kind: 'again', remark: 'The question has changed since it was shown.' } as const;

/** The question as it was read before the state was used up; it is pending. */
export async function settleForm(
  caller: McpCaller,
  interaction: Interaction,
  { digest: shown, mode }: StateClaims,
  said: Said,
): Promise<Settled> {
  const { id: interactionId, digest } = interaction;
  if ((digest ?? null) !== shown) return changed;
  // They have not said no, and somebody may still answer it elsewhere.
  if (said.action === 'cancel') return { kind: 'left' };
  const who = await answersAs(caller, interaction);
  // Not to want to open a page is no answer of anybody who was asked.
  if (!who) return { kind: 'left' };
  const { service } = caller;
  const answer = { interactionId, ...who, ...defined({ digest }) };
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

/** Nodes tell each other no more than 7,500 bytes at once. */
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
    const [, , name = ''] = pointer.split('/').map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    return inputs.length > 1 ? (labels.get(name) ?? name).slice(0, most.name) : '';
  });
  return visibleText(sentences).slice(0, most.remark);
}
