/**
 * Limits how many uploads run at once, because each holds memory, a connection and a file. Every org and key leaves as
 * many places free as it holds, so an org alone holds at most half of them, and a key at most half of its org's.
 */
import { fail, HoldpointError } from '@holdpoint/protocol';
import { type Caller, isSession } from '../../domain/caller.ts';
import { countedAs, networkOf } from '../admission/rate-limit.ts';

const perPerson = 4;
const perProcess = 64;
const retryAfterMs = 5_000;

interface UploadOf {
  caller: Caller;
  /** Address of the connection. */
  address: string;
  /** Ends the running upload with this fault. Called at most once. */
  breakOff(fault: HoldpointError): void;
}

/** Rejects an upload over the limits. Otherwise returns a function to call at its end. */
export type BeginUpload = (upload: UploadOf) => () => void;

interface Running extends UploadOf {
  orgId: string;
  person: string;
  /** The key, or a visitor's address, because a visitor can have many sessions. */
  holder: string;
}

export function runningUploads(): BeginUpload {
  const running = new Set<Running>();
  const count = (isMeant: (upload: Running) => boolean): number => [...running].filter(isMeant).length;

  return (upload) => {
    const { caller, address } = upload;
    const { orgId } = caller;
    const person = countedAs(caller);
    const holder = isSession(caller) ? `address ${orgId} ${networkOf(address)}` : person;
    if (caller.kind !== 'key' && count((other) => other.person === person) >= perPerson)
      refuse(`A person can run at most ${perPerson} uploads at once.`);
    const ofOrg = count((other) => other.orgId === orgId);
    if (ofOrg === 0) makeRoom(running);
    const free = perProcess - running.size;
    if (free === 0) refuse(`The server runs at most ${perProcess} uploads at once. Retry in a moment.`);
    if (ofOrg >= free)
      refuse(`Your org already runs ${ofOrg} uploads, which is its limit now. Retry when one has finished.`);
    const ofHolder = count((other) => other.holder === holder);
    if (ofHolder >= Math.ceil((free - ofOrg) / 2))
      refuse(`You already run ${ofHolder} uploads, which is your limit now. Retry when one has finished.`);
    const begun = { ...upload, orgId, person, holder };
    running.add(begun);
    return () => running.delete(begun);
  };
}

/** Makes room for an org without uploads when all places are taken: ends the oldest upload of the org with the most. */
function makeRoom(running: Set<Running>): void {
  if (running.size < perProcess) return;
  const orgs = [...Map.groupBy(running, ({ orgId }) => orgId).values()];
  const [most = []] = orgs.sort((a, b) => b.length - a.length);
  const [oldest] = most;
  if (!oldest || most.length === 1) return;
  running.delete(oldest);
  const detail = 'The server ended this upload to make room for another org. Retry in a moment.';
  oldest.breakOff(new HoldpointError({ code: 'rate-limited', detail, retryAfterMs }));
}

const refuse = (detail: string): never => fail('rate-limited', detail, { retryAfterMs });
