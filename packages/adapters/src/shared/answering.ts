/** In whose name answers are taken that come by another protocol. */
import type { Holdpoint } from '@holdpoint/client';
import { type Actor, HoldpointError } from '@holdpoint/protocol';

/** With an admin key and whom your login knows, or with the token of that person: a key of role agent answers for nobody. */
export interface Answering {
  hp: Holdpoint;
  responder?: Actor;
}

/** The first answer counts; who comes later goes on with that. */
export const isSettled = (error: unknown): boolean =>
  error instanceof HoldpointError &&
  ['interaction-already-answered', 'interaction-cancelled', 'interaction-expired'].includes(error.code);
