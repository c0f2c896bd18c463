/** Shapes that calls share: ids, pages, waits and idempotency keys. */
import { type Static, type TSchema, Type } from 'typebox';
import { strictObject, wholeNumber } from '../base-schemas.ts';
import { limits } from '../limits.ts';

/** An id that the server looks up. */
export const Id = Type.String({ minLength: 1, maxLength: limits.idLength });

export const page = {
  cursor: Type.Optional(
    Type.String({
      maxLength: limits.idLength,
      description: 'The `next` of the previous page. Leave it out for the first.',
    }),
  ),
  limit: Type.Optional(wholeNumber(1, limits.pageSize, 'Maximum number of items.', 50)),
};
export const PageQuery = strictObject(page);

/** A page of a log, which is read by the numbers in it. */
export const pageAfter = (maximum?: number) =>
  strictObject({
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        ...(maximum !== undefined && { maximum }),
        default: 0,
        description: 'The number to read after.',
      }),
    ),
    limit: page.limit,
  });

export const orderFrom = (first: 'oldest' | 'newest') =>
  Type.Optional(Type.Enum(['oldest', 'newest'], { default: first, description: 'The items that come first.' }));

export const pageOf = <Item extends TSchema>(
  item: Item,
  { continueBy = 'cursor' }: { continueBy?: 'cursor' | 'after' } = {},
) =>
  Type.Object({
    data: Type.Array(item),
    next: Type.Optional(
      Type.String({
        description: `Send it as \`${continueBy}\` to get the next page. Absent on the last page. A page with few or no items can have a next page.`,
      }),
    ),
  });

export const WaitQuery = strictObject({
  timeoutMs: Type.Optional(wholeNumber(0, limits.waitMs, 'Maximum time to wait, in milliseconds.', 30_000)),
});

/** The output of calls that return no data. */
export const Done = strictObject({});

/** A request for a page of a list. */
export type PageRequest = Static<typeof PageQuery>;

/** One page of a list. */
export interface Page<T> {
  data: T[];
  /** Pass it as `cursor` to get the next page. Absent on the last page. A page with few or no items can have a next page. */
  next?: string;
}

/** A write that is repeated with the same key runs once. The repeated call returns the record of the first call in its current state. */
export interface Write {
  idempotencyKey?: string;
}

/** An AbortSignal, for a package that knows neither the DOM nor Node. */
export interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The maximum time of a wait, and a signal that ends it early. */
export interface Wait {
  timeoutMs?: number;
  signal?: StopSignal;
}
