/** Who looks at a question: as their token says, so that a page that is loaded again knows it too. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { readClaims } from '../connection/claims.ts';
import type { RequestActions } from './request-props.ts';

/** Without an id where nobody can tell. */
export interface Responder {
  id?: string | undefined;
}

const anybody: Responder = {};

/** Undefined until it is known. Not asked for where nobody needs it: a token may have to be fetched. */
export function useResponder(actions: RequestActions, isNeeded: boolean): Responder | undefined {
  const [responder, setResponder] = useState<Responder>();
  useLayoutEffect(() => {
    let isGone = false;
    if (isNeeded)
      void actions
        .token()
        .then((token) => ({ id: readClaims(token).sub }))
        .catch(() => anybody)
        .then((known) => isGone || setResponder(known));
    return () => {
      isGone = true;
    };
  }, [isNeeded]);
  return isNeeded ? responder : anybody;
}
