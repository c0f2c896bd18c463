/** Runs the write of an operation: loads, decides and commits, again after a conflict, and once per idempotency key. */
import { defined, type Fault, fail, HoldpointError, limits, onFault, type Page } from '@holdpoint/protocol';
import { type Caller, mayCall, type Verb } from '../domain/caller.ts';
import type { Refused } from '../domain/command.ts';
import type { Change, Committed, IdempotencyRecord, Listing } from '../stores/store.ts';
import type { Context } from './context.ts';
import { fingerprintOf, isSameCall, type KeyedCall } from './fingerprint.ts';
import { conflict, retryOnConflict } from './retry-on-conflict.ts';

/** A change in the org of the caller. */
export type OrgChange = Omit<Change, 'orgId'>;

interface Attempted<T> {
  change: OrgChange;
  result: T;
}

/**
 * Runs a write that takes no idempotency key. The attempt loads and decides, and throws the fault if the rules refuse. An
 * empty change is not written.
 */
export function save<T>({ store }: Context, { orgId }: Caller, attempt: () => Promise<Attempted<T>>): Promise<T> {
  return retryOnConflict(async () => {
    const { change, result } = await attempt();
    if (Object.keys(change).length === 0) return result;
    return resultOf(await store.commit({ orgId, ...change }), result);
  });
}

export interface Performance<T> {
  verb: Verb;
  /** Everything that makes two calls the same call. */
  input: { idempotencyKey?: string };
  attempt(): Promise<Attempted<T> & { resource: IdempotencyRecord['resource'] }>;
  /** Returns the result of a repeated call: the resource of the first call, as it is now. */
  reload(id: string): Promise<T>;
}

/** Runs a write. Under an idempotency key it is done once. */
export async function perform<T>(
  context: Context,
  caller: Caller,
  { verb, input, attempt, reload }: Performance<T>,
): Promise<T> {
  const keyed = keyedCall(context, caller, verb, input);
  if (!keyed) return save(context, caller, attempt);
  const { key, call } = keyed;
  const { orgId } = caller;
  const findEarlier = () => context.store.findIdempotency({ orgId, key });
  const earlier = await findEarlier();
  if (earlier) return reload(repeated(call, earlier));

  return retryOnConflict(async () => {
    let attempted: Awaited<ReturnType<typeof attempt>>;
    try {
      attempted = await attempt();
    } catch (fault) {
      // The same call may have succeeded since the first look, and cause this fault.
      const done = await findEarlier();
      if (done) return reload(repeated(call, done));
      throw fault;
    }
    const { change, resource, result } = attempted;
    const idempotency = { key, fingerprint: fingerprintOf(call), resource };
    const committed = await context.store.commit({ orgId, ...change, idempotency });
    if (!committed.ok && committed.reason === 'repeated') return reload(repeated(call, committed.earlier));
    return resultOf(committed, result);
  });
}

function resultOf<T>(committed: Committed, result: T): T | typeof conflict {
  if (committed.ok) return result;
  return committed.reason === 'no-thread' ? fail('thread-not-found', 'There is no such thread.') : conflict;
}

export function authorize(caller: Caller, verb: Verb): void {
  const fault = mayCall(caller, verb);
  if (fault) throw new HoldpointError(fault);
}

export function orThrow<T extends object>(value: T | Fault): T {
  if ('code' in value && 'detail' in value) throw new HoldpointError(value as Fault);
  return value as T;
}

/** Returns the outcome of a rule, or throws its fault. */
export function decidedOrThrow<T extends { ok: true }>(decided: T | Refused): T {
  if (!decided.ok) throw new HoldpointError(decided.fault);
  return decided;
}

function keyedCall(
  { request }: Context,
  caller: Caller,
  verb: Verb,
  { idempotencyKey, ...input }: { idempotencyKey?: string },
): { key: string; call: KeyedCall } | undefined {
  if (idempotencyKey === undefined) return undefined;
  const sent = request?.idempotencyKey === idempotencyKey ? request.content : input;
  return { key: keyOf(caller, idempotencyKey), call: { verb, caller, input, sent } };
}

/** A key of a person never equals one of a worker, because no caller can send a space in a key. */
function keyOf(caller: Caller, key: string): string {
  if (caller.kind === 'key') return key;
  if (caller.kind === 'person') return `person ${caller.person.id} ${key}`;
  const { scope, responderId } = caller;
  return `responder ${'threadId' in scope ? scope.threadId : 'inbox'} ${responderId} ${key}`;
}

/** Returns the id of the resource of the first call. */
function repeated(call: KeyedCall, earlier: IdempotencyRecord): string {
  const isSame = isSameCall(call, earlier.fingerprint);
  if (isSame) return earlier.resource.id;
  return fail(
    'idempotency-key-reused',
    isSame === undefined
      ? 'A newer version of the server stored this idempotency key, and this version cannot tell whether the call is the same.'
      : 'This idempotency key was used for another call or body.',
  );
}

/**
 * Returns true for the first call with this name on any node, and false for all others. The name is stored as an
 * idempotency key with a space, which no caller can send. Each use is another call, so a second use is refused.
 */
export async function useOnce(
  context: Context,
  caller: Caller,
  { name, interactionId }: { name: string; interactionId: string },
): Promise<boolean> {
  const resource = { type: 'interaction', id: interactionId } as const;
  authorize(caller, 'waitForInteraction');
  const use = () =>
    perform(context, caller, {
      verb: 'waitForInteraction',
      input: { idempotencyKey: `once ${name}`, ...{ use: context.newId() } },
      attempt: async () => ({ change: {}, resource, result: true }),
      reload: async () => true,
    });
  return onFault('idempotency-key-reused', use, () => false);
}

export const pageLimit = (asked: number | undefined): number => Math.min(asked ?? 50, limits.pageSize);

/** Reads all pages of a list. */
export async function* pagesOf<T>(read: (from: { cursor?: string }) => Promise<Listing<T>>): AsyncGenerator<T[]> {
  let from = {};
  for (;;) {
    const { items, next: cursor } = await read(from);
    yield items;
    if (cursor === undefined) return;
    from = { cursor };
  }
}

export const page = <T>({ items, next }: Listing<T>): Page<T> => ({ data: items, ...defined({ next }) });
