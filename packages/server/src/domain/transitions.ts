/** Every status × every command: what is allowed, and the name of the refusal where it is not. */
import type { ErrorCode, Status } from '@holdpoint/protocol';
import type { CommandType } from './command.ts';

export type Met = Status | 'absent';

/** `decide` means that the command's own rules go on to judge it. */
export type Cell = 'decide' | ErrorCode;

const closed = (code: ErrorCode): Record<CommandType, Cell> => ({
  create: code,
  answer: code,
  decline: code,
  cancel: code,
  update: code,
  expire: code,
});

export const transitions: Record<Met, Record<CommandType, Cell>> = {
  absent: { ...closed('interaction-not-found'), create: 'decide' },
  pending: {
    create: 'version-conflict',
    answer: 'decide',
    decline: 'decide',
    cancel: 'decide',
    update: 'decide',
    expire: 'decide',
  },
  answered: closed('interaction-already-answered'),
  cancelled: closed('interaction-cancelled'),
  expired: closed('interaction-expired'),
};

/** Where each command may lead from `pending`; a quorum still short of its count leads back to it. */
export const reachable: Record<CommandType, readonly Status[]> = {
  create: ['pending', 'answered'],
  answer: ['pending', 'answered'],
  decline: ['pending', 'answered'],
  cancel: ['cancelled'],
  update: ['pending'],
  expire: ['pending', 'expired', 'answered'],
};
