import type { Attempt } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { loadWebhook } from './load-webhook.ts';

/** Also of a webhook that is disabled: whoever mends an endpoint wants to see that it works first. */
export async function testWebhook(
  context: Context,
  caller: Caller,
  { webhookId }: { webhookId: string },
): Promise<Attempt> {
  authorize(caller, 'testWebhook');
  const { record } = await loadWebhook(context, caller, webhookId);
  return context.webhooks.test(record, caller.orgId);
}
