/** Runs an operation of a caller: checks permission, then loads, decides and commits, once per idempotency key. */
import { type Fault, fail, HoldpointError, limits, type Page } from '@holdpoint/protocol';
import { type Caller, mayCall, type Verb } from '../domain/caller.ts';
import type { Change, IdempotencyRecord, Listing } from '../stores/store.ts';
import type { Context } from './context.ts';
import { fingerprintOf, isSameCall, type KeyedCall } from './fingerprint.ts';
import { conflict, retryOnConflict } from './retry-on-conflict.ts';

export interface Performance<T> {
  verb: Verb;
  /** All that makes two calls the same call. */
  input: { idempotencyKey?: string };
  /** Loads and decides; throws the fault if the rules refuse. A change with nothing in it is not written. */
  attempt(): Promise<{ change: Omit<Change, 'orgId'>; resource: IdempotencyRecord['resource']; result: T }>;
  /** What a repeated call gets: the thing the first call made, as it stands now. */
  reload(id: string): Promise<T>;
}

export async function perform<T>(
  context: Context,
  caller: Caller,
  { verb, input, attempt, reload }: Performance<T>,
): Promise<T> {
  const { store } = context;
  const { orgId } = caller;
  authorize(caller, verb);
  const stamp = idempotencyRecordOf(context, verb, caller, input);
  const findEarlier = async () => stamp && (await store.findIdempotency({ orgId, key: stamp.key }));
  const earlier = await findEarlier();
  if (stamp && earlier) return reload(repeated(stamp, earlier));

  return retryOnConflict(async () => {
    let attempted: Awaited<ReturnType<typeof attempt>>;
    try {
      attempted = await attempt();
    } catch (fault) {
      // The same call may have been done since the look above, and be what this one is refused for.
      const done = await findEarlier();
      if (stamp && done) return reload(repeated(stamp, done));
      throw fault;
    }
    const { change, resource, result } = attempted;
    if (!stamp && Object.keys(change).length === 0) return result;
    const committed = await store.commit({
      orgId,
      ...change,
      ...(stamp ? { idempotency: { key: stamp.key, fingerprint: fingerprintOf(stamp.call), resource } } : {}),
    });
    if (committed.ok) return result;
    if (committed.reason === 'no-thread') fail('thread-not-found', 'There is no such thread.');
    if (committed.reason === 'repeated' && stamp) return reload(repeated(stamp, committed.earlier));
    return conflict;
  });
}

export function authorize(caller: Caller, verb: Verb): void {
  const fault = mayCall(caller, verb);
  if (fault) throw new HoldpointError(fault);
}

export function orThrow<T extends object>(value: T | Fault): T {
  if ('code' in value && 'detail' in value) throw new HoldpointError(value as Fault);
  return value as T;
}

interface Stamp {
  key: string;
  call: KeyedCall;
}

function idempotencyRecordOf(
  { request }: Context,
  verb: Verb,
  caller: Caller,
  { idempotencyKey, ...input }: { idempotencyKey?: string },
): Stamp | undefined {
  if (idempotencyKey === undefined) return undefined;
  const sent = request?.idempotencyKey === idempotencyKey ? request.content : input;
  return { key: keyOf(caller, idempotencyKey), call: { verb, caller, input, sent } };
}

/** What a person chooses never meets what a worker does: no caller can send a space in a key. */
function keyOf(caller: Caller, key: string): string {
  if (caller.kind === 'key') return key;
  const { reach, responderId } = caller;
  return `responder ${'threadId' in reach ? reach.threadId : 'inbox'} ${responderId} ${key}`;
}

function repeated({ call }: Stamp, earlier: IdempotencyRecord): string {
  const isSame = isSameCall(call, earlier.fingerprint);
  if (isSame) return earlier.resource.id;
  return fail(
    'idempotency-key-reused',
    isSame === undefined
      ? 'A newer version of the server stored this idempotency key, and this version cannot tell whether the call is the same.'
      : 'This idempotency key was used before for another call or body.',
  );
}

/**
 * True for the first call with this name, on whatever node, and false for all others. The name is kept as an idempotency
 * key, after a space, which no caller can send in one; each use is another call, and so a second is refused.
 */
export async function useOnce(
  context: Context,
  caller: Caller,
  { name, interactionId }: { name: string; interactionId: string },
): Promise<boolean> {
  const resource = { type: 'interaction', id: interactionId } as const;
  try {
    return await perform(context, caller, {
      verb: 'waitForInteraction',
      input: { idempotencyKey: `once ${name}`, ...{ use: context.newId() } },
      attempt: async () => ({ change: {}, resource, result: true }),
      reload: async () => true,
    });
  } catch (error) {
    if (error instanceof HoldpointError && error.code === 'idempotency-key-reused') return false;
    throw error;
  }
}

export const pageLimit = (asked: number | undefined): number => Math.min(asked ?? 50, limits.pageSize);

export const page = <T>({ items, next }: Listing<T>): Page<T> => ({ data: items, ...(next ? { next } : {}) });
