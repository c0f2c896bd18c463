/** Links to files: signed, for a while, and for that file alone. Nothing about them is stored. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FileLinks, LinkClaims } from '../operations/context.ts';
import type { Store } from '../stores/store.ts';

/** Every node signs with the same secret, which the first of them makes. */
export async function linkKeeper(store: Pick<Store, 'settleMeta'>): Promise<FileLinks> {
  const offered = randomBytes(32).toString('base64url');
  const secret = Buffer.from(await store.settleMeta({ key: 'link-secret', value: offered }), 'base64url');
  const sign = ({ orgId, fileId, expires }: LinkClaims) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['file', orgId, fileId, expires]))
      .digest('base64url');
  return {
    sign,
    isSignedBy(link, signature) {
      // As text: many texts are read as the same bytes.
      const [given, right] = [Buffer.from(signature), Buffer.from(sign(link))];
      return given.byteLength === right.byteLength && timingSafeEqual(given, right);
    },
  };
}
