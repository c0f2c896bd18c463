/** Visitors of a page that a public key is for. Anybody can be one, so their names are never those of assignees. */
import type { Actor } from '@holdpoint/protocol';

export const visitorId = (newId: () => string, customerId: string | undefined): string =>
  customerId === undefined ? `visitor:${newId()}` : `customer:${customerId}`;

export const isVisitor = ({ type, id }: Actor): boolean => type === 'human' && /^(visitor|customer):/.test(id);
