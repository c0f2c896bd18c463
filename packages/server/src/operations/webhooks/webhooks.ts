import { randomBytes } from 'node:crypto';
import {
  type Attempt,
  type CreatedWebhook,
  fail,
  type Page,
  type PageRequest,
  type Problem,
  type RotateSecret,
  type Webhook,
  type Write,
} from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { checkSecret } from '../../domain/webhooks/check-webhook.ts';
import { readerOf, rotateSecret, shownWebhook } from '../../domain/webhooks/webhook.ts';
import type { Document } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { authorize, page, pageLimit, perform } from '../perform.ts';

const oneDay = 86_400;

export async function getWebhook(
  context: Context,
  caller: Caller,
  { webhookId }: { webhookId: string },
): Promise<Webhook> {
  authorize(caller, 'getWebhook');
  return reloadWebhook(context, caller, webhookId);
}

export async function listWebhooks({ store }: Context, caller: Caller, request: PageRequest): Promise<Page<Webhook>> {
  authorize(caller, 'listWebhooks');
  const wanted = { ...request, orgId: caller.orgId, type: 'webhook', limit: pageLimit(request.limit) } as const;
  const { items, ...rest } = await store.listDocuments(wanted);
  return page({ ...rest, items: items.map(({ record }) => shownWebhook(record)) });
}

/** Also tests a disabled webhook, so that its owner can see that a repaired endpoint works before enabling it. */
export async function testWebhook(
  context: Context,
  caller: Caller,
  { webhookId }: { webhookId: string },
): Promise<Attempt> {
  authorize(caller, 'testWebhook');
  const { record } = await loadWebhook(context, caller, webhookId);
  return context.webhooks.test(record, caller.orgId);
}

export async function rotateWebhookSecret(
  context: Context,
  caller: Caller,
  input: { webhookId: string } & RotateSecret & Write,
): Promise<CreatedWebhook> {
  const rotated = await perform<CreatedWebhook>(context, caller, {
    verb: 'rotateWebhookSecret',
    input,
    attempt: async () => {
      const { id, revision, record: before } = await loadWebhook(context, caller, input.webhookId);
      const { secret = newSecret(), keepOldForSeconds = oneDay } = input;
      await refuseBadWebhook(context, caller, undefined, checkSecret(secret, before.record.format));
      const record = rotateSecret(before, { secret, keepOldForSeconds }, context.clock.now());
      return {
        change: { documents: [{ type: 'webhook', id, record, expected: revision }] },
        resource: { type: 'webhook', id },
        result: { ...shownWebhook(record), secret },
      };
    },
    reload: (id) => reloadWebhook(context, caller, id),
  });
  context.webhooks.changed();
  return rotated;
}

export async function deleteWebhook(context: Context, caller: Caller, input: { webhookId: string }): Promise<Webhook> {
  const deleted = await perform(context, caller, {
    verb: 'deleteWebhook',
    input: {},
    attempt: async () => {
      const { id, revision, record } = await loadWebhook(context, caller, input.webhookId);
      const reader = await context.store.getDocument({ orgId: caller.orgId, type: 'reader', id: readerOf(id) });
      return {
        change: {
          documents: [
            { type: 'webhook', id, record: null, expected: revision },
            ...(reader ? [{ type: 'reader', id: reader.id, record: null, expected: reader.revision } as const] : []),
          ],
          timers: [{ kind: 'webhook', id, dueAt: null }],
        },
        resource: { type: 'webhook', id },
        result: shownWebhook(record),
      };
    },
    reload: (id) => reloadWebhook(context, caller, id),
  });
  context.webhooks.changed();
  return deleted;
}

export async function loadWebhook({ store }: Context, { orgId }: Caller, id: string): Promise<Document<'webhook'>> {
  const webhook = await store.getDocument({ orgId, type: 'webhook', id });
  return webhook ?? fail('webhook-not-found', `There is no webhook ${id}.`);
}

export const reloadWebhook = async (context: Context, caller: Caller, id: string): Promise<Webhook> =>
  shownWebhook((await loadWebhook(context, caller, id)).record);

/** Reports a problem with the URL, if one is given, together with all other problems. */
export async function refuseBadWebhook(
  { webhooks }: Context,
  { orgId }: Caller,
  url: string | undefined,
  problems: readonly Problem[],
): Promise<void> {
  const problem = url === undefined ? undefined : await webhooks.checkUrl(url, orgId);
  const all = [...(problem ? [problem] : []), ...problems];
  if (all.length > 0) throw invalidInput(all);
}

/** In the form of Standard Webhooks, which asks for 24 to 64 bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
