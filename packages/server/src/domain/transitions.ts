/** Every status × every command: whether it is allowed, and the error code if not. */
import type { ErrorCode, Fault, Interaction, Status } from '@holdpoint/protocol';
import type { CommandType } from './command.ts';
import { currentState } from './state.ts';

/** `decide` means that the command's own rules decide. */
type Cell = 'decide' | ErrorCode;

const every = (cell: Cell): Record<CommandType, Cell> => ({
  create: cell,
  answer: cell,
  decline: cell,
  claim: cell,
  release: cell,
  reassign: cell,
  delegate: cell,
  cancel: cell,
  update: cell,
  unassign: cell,
  expire: cell,
});

export const transitions: Record<Status | 'absent', Record<CommandType, Cell>> = {
  absent: { ...every('interaction-not-found'), create: 'decide' },
  pending: { ...every('decide'), create: 'version-conflict' },
  answered: every('interaction-already-answered'),
  cancelled: every('interaction-cancelled'),
  expired: every('interaction-expired'),
};

/** The statuses to which each command can lead from `pending`. It stays pending while a quorum needs more votes. */
export const reachable: Record<CommandType, readonly Status[]> = {
  create: ['pending', 'answered'],
  answer: ['pending', 'answered'],
  decline: ['pending', 'answered'],
  claim: ['pending'],
  release: ['pending'],
  reassign: ['pending'],
  delegate: ['pending'],
  cancel: ['cancelled'],
  update: ['pending'],
  unassign: ['pending'],
  expire: ['pending', 'expired', 'answered'],
};

/** Returns why an interaction with this status refuses a command, if so. */
export function refusal(state: Interaction | null, command: CommandType): Fault | undefined {
  const cell = transitions[state?.status ?? 'absent'][command];
  if (cell === 'decide') return undefined;
  if (!state) return { code: cell, detail: 'There is no such interaction.' };
  return { code: cell, detail: closedDetail(state), current: currentState(state) };
}

function closedDetail({ status, closedReason, closedBy, closedAt }: Interaction): string {
  if (status === 'pending') return 'The interaction already exists and is pending.';
  const by = closedBy ? ` by ${closedBy.type} ${closedBy.id}` : '';
  return `The interaction was ${closedReason ?? status}${by} at ${closedAt}.`;
}
