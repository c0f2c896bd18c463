/** Shared by the routes of this dialect: the route itself, pages of a list, changes without a version, and pointers of faults. */
import { limits, onFault } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { conflict, retryOnConflict } from '../../operations/retry-on-conflict.ts';
import { route } from '../../routes/route.ts';
import { movePointers, type PointerRules, translateFault } from '../pointers.ts';
import { invalidCursor } from './fault-codec.ts';

const Anything = Type.Object({});

/** A route that ignores unknown parameters and properties, as Opengram does. */
export const lenientRoute: typeof route = (method, path, spec) =>
  route(method, path, { query: Anything, body: Anything, ...spec });

/** Loads and changes a record, again if its version changed in between. The caller named no version, so it cannot be old. */
export const retried = <T>(change: () => Promise<T>): Promise<T> =>
  retryOnConflict(() => onFault('version-conflict', change, () => conflict));

/** The cursor in the query of a list. */
export const Cursor = Type.Optional(Type.String({ maxLength: limits.idLength }));

/** A page of a list. `next` is null on the last one. */
export const toList = <T>(data: T[], next: string | undefined) => ({
  data,
  cursor: { next: next ?? null, hasMore: next !== undefined },
});

const problems = [{ pointer: '/query/cursor', code: 'cursor', message: invalidCursor }];

/** Runs the calls of a list. An invalid cursor becomes a problem of the query. */
export const inList = <T>(call: () => Promise<T>): Promise<T> =>
  translateFault(
    (fault) => (fault.code === 'invalid-cursor' ? { code: 'invalid-input', detail: invalidCursor, problems } : fault),
    call,
  );

/** Runs native calls. Pointers of their faults become pointers into the body of this dialect. */
export const withPointers = <T>(places: PointerRules, call: () => Promise<T>): Promise<T> =>
  translateFault((fault) => movePointers(fault, places), call);
