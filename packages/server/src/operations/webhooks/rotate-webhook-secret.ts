import type { CreatedWebhook, RotateSecret, Write } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import { checkSecret } from '../../domain/webhooks/check-webhook.ts';
import type { StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadWebhook, shown, shownById } from './load-webhook.ts';
import { newSecret } from './new-secret.ts';
import { refuseBadWebhook } from './refuse-bad-webhook.ts';

const day = 86_400;

/** The last secret signs beside the new one for a while. Of more than these two nobody would know which is which. */
export async function rotateWebhookSecret(
  context: Context,
  caller: Caller,
  input: { webhookId: string } & RotateSecret & Write,
): Promise<CreatedWebhook> {
  const { clock, webhooks } = context;
  const rotated = await perform<CreatedWebhook>(context, caller, {
    verb: 'rotateWebhookSecret',
    input,
    attempt: async () => {
      const { id, revision, record: before } = await loadWebhook(context, caller, input.webhookId);
      const { secret = newSecret(), keepOldForSeconds = day } = input;
      await refuseBadWebhook(context, caller, undefined, checkSecret(secret, before.record.format));
      const now = clock.now();
      const until = now + keepOldForSeconds * 1_000;
      const old = before.secrets.slice(0, 1).map((last) => ({ secret: last.secret, until }));
      const stored: StoredWebhook = {
        ...before,
        record: { ...before.record, updatedAt: timestamp(now) },
        secrets: [{ secret }, ...(keepOldForSeconds > 0 ? old : [])],
      };
      return {
        change: { documents: [{ type: 'webhook', id, record: stored, expected: revision }] },
        resource: { type: 'webhook', id },
        result: { ...shown(stored), secret },
      };
    },
    reload: (id) => shownById(context, caller, id),
  });
  webhooks.changed();
  return rotated;
}
