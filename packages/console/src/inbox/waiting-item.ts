/** One question of the inbox, with what it is found by. */
import type { Interaction } from '@holdpoint/protocol';
import { approvalOf, type Values } from '@holdpoint/widget/approval';

export interface WaitingItem {
  interaction: Interaction;
  /** In small letters: title, prompt, thread and the labels of its fields. */
  text: string;
}

export function toItem(interaction: Interaction): WaitingItem {
  const { title, body = '', threadId, fields, run, createdBy } = interaction;
  const labels = fields.flatMap((field) => [
    ...('label' in field && field.label !== undefined ? [field.label] : []),
    ...('name' in field ? [field.name] : []),
    ...('options' in field ? field.options.map(({ label }) => label) : []),
  ]);
  const said = [title, body, threadId, run?.id ?? '', createdBy.id, ...labels].join('\n').toLowerCase();
  return { interaction, text: said };
}

/** What would be sent to allow it with others at once; none where one has to read it, or may not answer it. */
export function allowanceOf({ interaction }: WaitingItem, me: string): Values | undefined {
  const { responder, votes } = interaction;
  const isForMe = responder.type === 'human' || responder.type === 'any';
  const isNamed = !responder.assignees || responder.assignees.includes(me);
  const hasVoted = votes.some(({ by }) => by.type === 'human' && by.id === me);
  return isForMe && isNamed && !hasVoted ? approvalOf(interaction) : undefined;
}
