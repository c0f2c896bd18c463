/** Schemas of paths, queries and pages that several routes share. */
import { limits } from '@holdpoint/protocol';
import { type TSchema, Type } from 'typebox';

const Id = Type.String({ minLength: 1, maxLength: limits.idLength });
const strict = { additionalProperties: false };

export const ThreadParams = Type.Object({ threadId: Id }, strict);
export const MessageParams = Type.Object({ messageId: Id }, strict);
export const InteractionParams = Type.Object({ interactionId: Id }, strict);
export const GrantParams = Type.Object({ grantId: Id }, strict);
export const FileParams = Type.Object({ fileId: Id }, strict);
export const RunParams = Type.Object({ runId: Id }, strict);
export const BatchParams = Type.Object({ batchId: Id }, strict);
export const WebhookParams = Type.Object({ webhookId: Id }, strict);
export const DeliveryParams = Type.Object({ webhookId: Id, deliveryId: Id }, strict);
export const KeyParams = Type.Object({ keyId: Id }, strict);

/** For calls that have nothing to tell but that they were done. */
export const Done = Type.Object({}, strict);

export const pageQuery = {
  cursor: Type.Optional(Type.String({ maxLength: limits.idLength, description: 'The next of the page before.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, default: 50 })),
};
export const PageQuery = Type.Object(pageQuery, strict);

export const pageOf = (item: TSchema, { goesOnBy }: { goesOnBy: 'cursor' | 'after' } = { goesOnBy: 'cursor' }) =>
  Type.Object({
    data: Type.Array(item),
    next: Type.Optional(
      Type.String({
        description: `Pass it as ${goesOnBy} for the next page; absent on the last. A page may be short, or empty, and still have a next one.`,
      }),
    ),
  });
