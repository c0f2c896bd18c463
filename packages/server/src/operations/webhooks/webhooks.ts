import { randomBytes } from 'node:crypto';
import {
  type AdminEventType,
  type CreatedWebhook,
  fail,
  limits,
  type Problem,
  type Webhook,
} from '@holdpoint/protocol';
import { actorOf, type Caller, type Verb } from '../../domain/caller.ts';
import { checkHeaders, checkSecret } from '../../domain/webhooks/check-webhook.ts';
import { newWebhook, readerOf, rotateSecret, type StoredWebhook, shownWebhook } from '../../domain/webhooks/webhook.ts';
import type { Document, DocumentChange } from '../../stores/documents.ts';
import type { Context, Operation } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { adminEvent } from '../people/admin-log.ts';
import { type OrgChange, page, pageLimit, perform } from '../perform.ts';

const oneDay = 86_400;

/** The webhook gets events from now on. A repeated call returns it without its secret, which is shown once. */
export const createWebhook: Operation<'createWebhook'> = async (context, caller, input) => {
  const { store, clock, webhooks } = context;
  const { orgId } = caller;
  const created = await perform<CreatedWebhook>(context, caller, {
    verb: 'createWebhook',
    input,
    attempt: async () => {
      const { idempotencyKey: _, ...given } = input;
      const { secret = newSecret(), headers = {}, format = 'standard', url } = given;
      const limit = limits.webhooksPerOrg;
      const { items } = await store.listDocuments({ orgId, type: 'webhook', limit });
      if (items.length >= limit)
        fail('too-many-webhooks', `An org can have at most ${limit} webhooks. Delete one that you do not need.`);
      await refuseBadWebhook(context, caller, url, [...checkHeaders(headers), ...checkSecret(secret, format)]);
      const now = clock.now();
      const id = context.newId();
      const record = newWebhook(id, { ...given, secret }, now);
      const reader = { type: 'reader', id: readerOf(id), record: { cursor: await store.headCursor() } } as const;
      return {
        change: {
          documents: [
            { type: 'webhook', id, record, expected: null },
            { ...reader, expected: null },
            webhookEvent(context, caller, 'webhook.created', record),
          ],
          timers: [{ kind: 'webhook', id, dueAt: now }],
        },
        resource: { type: 'webhook', id },
        result: { ...record.record, secret },
      };
    },
    reload: (id) => loadShownWebhook(context, caller, id),
  });
  webhooks.changed();
  return created;
};

export const getWebhook: Operation<'getWebhook'> = (context, caller, { webhookId }) =>
  loadShownWebhook(context, caller, webhookId);

export const listWebhooks: Operation<'listWebhooks'> = async ({ store }, { orgId }, request) => {
  const wanted = { ...request, orgId, type: 'webhook', limit: pageLimit(request.limit) } as const;
  const { items, ...rest } = await store.listDocuments(wanted);
  return page({ ...rest, items: items.map(({ record }) => shownWebhook(record)) });
};

/** Also tests a disabled webhook, so that its owner can see that a repaired endpoint works before enabling it. */
export const testWebhook: Operation<'testWebhook'> = async (context, caller, { webhookId }) => {
  const { record } = await loadWebhook(context, caller, webhookId);
  return context.webhooks.test(record, caller.orgId);
};

interface WebhookCommand {
  verb: Verb;
  input: { webhookId: string; idempotencyKey?: string };
  decide(before: Document<'webhook'>): Promise<{ change: OrgChange; result: CreatedWebhook }>;
}

/** Changes a webhook, and wakes its sender. */
export async function changeWebhook(
  context: Context,
  caller: Caller,
  { verb, input, decide }: WebhookCommand,
): Promise<CreatedWebhook> {
  const changed = await perform(context, caller, {
    verb,
    input,
    attempt: async () => {
      const before = await loadWebhook(context, caller, input.webhookId);
      return { ...(await decide(before)), resource: { type: 'webhook', id: before.id } };
    },
    reload: (id) => loadShownWebhook(context, caller, id),
  });
  context.webhooks.changed();
  return changed;
}

export const rotateWebhookSecret: Operation<'rotateWebhookSecret'> = (context, caller, input) =>
  changeWebhook(context, caller, {
    verb: 'rotateWebhookSecret',
    input,
    decide: async (webhook) => {
      const { secret = newSecret(), keepOldForSeconds = oneDay } = input;
      await refuseBadWebhook(context, caller, undefined, checkSecret(secret, webhook.record.record.format));
      const record = rotateSecret(webhook.record, { secret, keepOldForSeconds }, context.clock.now());
      const rotated = webhookEvent(context, caller, 'webhook.secret-rotated', record);
      const change = { documents: [webhookChange(webhook, record), rotated] };
      return { change, result: { ...shownWebhook(record), secret } };
    },
  });

export const deleteWebhook: Operation<'deleteWebhook'> = (context, caller, input) =>
  changeWebhook(context, caller, {
    verb: 'deleteWebhook',
    input,
    decide: async (webhook) => {
      const { id, record } = webhook;
      const reader = await context.store.getDocument({ orgId: caller.orgId, type: 'reader', id: readerOf(id) });
      const deleted = webhookEvent(context, caller, 'webhook.deleted', record);
      const documents: DocumentChange[] = [webhookChange(webhook, null), deleted];
      if (reader) documents.push({ type: 'reader', id: reader.id, record: null, expected: reader.revision });
      return {
        change: { documents, timers: [{ kind: 'webhook', id, dueAt: null }] },
        result: shownWebhook(record),
      };
    },
  });

export const webhookChange = (
  { id, revision: expected }: Document<'webhook'>,
  record: Document<'webhook'>['record'] | null,
): DocumentChange<'webhook'> => ({ type: 'webhook', id, record, expected });

/** Names the host alone, because the rest of an address may be a secret. */
export function webhookEvent(
  context: Context,
  caller: Caller,
  type: Extract<AdminEventType, `webhook.${string}`>,
  { record: { id, url, description } }: StoredWebhook,
  data: Record<string, unknown> = {},
): DocumentChange {
  const { host } = new URL(url);
  const subject = { type: 'webhook', id, name: description ?? host };
  return adminEvent(context, actorOf(caller), { type, subject, data: { host, ...data } });
}

export async function loadWebhook({ store }: Context, { orgId }: Caller, id: string): Promise<Document<'webhook'>> {
  const webhook = await store.getDocument({ orgId, type: 'webhook', id });
  return webhook ?? fail('webhook-not-found', `There is no webhook ${id}.`);
}

const loadShownWebhook = async (context: Context, caller: Caller, id: string): Promise<Webhook> =>
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
