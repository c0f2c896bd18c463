/** How many uploads may run at once: each holds memory, a connection and a place to write to. */
import { fail } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';

const perResponder = 4;
const perProcess = 64;
const retryAfterMs = 5_000;

/** Refuses one more than may run, else gives what is to be called when it is over. */
export type BeginUpload = (caller: Caller) => () => void;

export function runningUploads(): BeginUpload {
  const running = new Set<{ caller: Caller }>();
  return (caller) => {
    const own = [...running].filter((upload) => isSamePerson(upload.caller, caller));
    if (own.length >= perResponder)
      fail('rate-limited', `At most ${perResponder} uploads of one person run at once.`, { retryAfterMs });
    if (running.size >= perProcess)
      fail('rate-limited', `At most ${perProcess} uploads run at once; wait a moment.`, { retryAfterMs });
    const upload = { caller };
    running.add(upload);
    return () => running.delete(upload);
  };
}

/** A key uploads for many. */
const isSamePerson = (one: Caller, other: Caller): boolean =>
  one.kind === 'responder' &&
  other.kind === 'responder' &&
  one.orgId === other.orgId &&
  one.responderId === other.responderId;
