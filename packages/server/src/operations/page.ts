/** Pages of a list: bounded, and with a cursor only where there is more. */
import { limits, type Page } from '@holdpoint/protocol';
import type { Listing } from '../stores/store.ts';

export const pageLimit = (asked: number | undefined): number => Math.min(asked ?? 50, limits.pageSize);

export const page = <T>({ items, next }: Listing<T>): Page<T> => ({ data: items, ...(next ? { next } : {}) });
