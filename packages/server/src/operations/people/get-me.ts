import { defined } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import type { Operation } from '../context.ts';

/** Describes the caller. A program or a page asks this to know its rights before it offers them. */
export const getMe: Operation<'getMe'> = async (_context, caller) => {
  const { orgId } = caller;
  const { id, via, name } = actorOf(caller);
  const kind = caller.kind === 'responder' ? 'token' : caller.kind;
  return {
    ...{ kind, orgId, id, via, ...defined({ name }) },
    ...(caller.kind === 'key' ? { role: caller.role } : {}),
    ...(caller.kind === 'person' ? { person: caller.person, ...defined({ sessionId: caller.sessionId }) } : {}),
  };
};
