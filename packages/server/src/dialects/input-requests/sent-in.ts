/** What an interaction was sent as, if it was asked here. */
import { acceptedInput } from '@holdpoint/mcp';
import { checkShape, type FreeObject, type Interaction } from '@holdpoint/protocol';
import type { TSchema } from 'typebox';

export interface Sent {
  fields: FreeObject[];
  recommendations?: FreeObject;
}

const { fields, recommendations } = acceptedInput('create').properties;
const SentSchema = {
  type: 'object',
  properties: { fields, recommendations },
  required: ['fields'],
} as unknown as TSchema;

/** A native caller may write any original; one that could not have been sent here counts for nothing. */
export function sentIn({ original }: Interaction): Sent | undefined {
  if (original?.dialect !== 'input-requests' || checkShape(SentSchema, original.sent).length > 0) return undefined;
  return original.sent as unknown as Sent;
}
