import type { Webhook } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { shownById } from './load-webhook.ts';

export async function getWebhook(
  context: Context,
  caller: Caller,
  { webhookId }: { webhookId: string },
): Promise<Webhook> {
  authorize(caller, 'getWebhook');
  return shownById(context, caller, webhookId);
}
