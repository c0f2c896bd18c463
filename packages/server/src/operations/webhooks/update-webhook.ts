import type { Problem, UpdateWebhook, Webhook } from '@holdpoint/protocol';
import { actorOf, type Caller } from '../../domain/caller.ts';
import { timestamp } from '../../domain/state.ts';
import { checkHeaders, checkSecret } from '../../domain/webhooks/check-webhook.ts';
import { disable, enable, notice, noticesThreadId } from '../../domain/webhooks/disable.ts';
import { readerOf, type StoredWebhook } from '../../domain/webhooks/stored-webhook.ts';
import type { Change, DeliveryChange, DocumentChange } from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { perform } from '../perform.ts';
import { loadWebhook, shown, shownById } from './load-webhook.ts';
import { refuseBadWebhook } from './refuse-bad-webhook.ts';

type Update = { webhookId: string } & UpdateWebhook;
type WebhookChange = Omit<Change, 'orgId' | 'documents'> & { stored: StoredWebhook; reader?: DocumentChange<'reader'> };

export async function updateWebhook(context: Context, caller: Caller, input: Update): Promise<Webhook> {
  const updated = await perform(context, caller, {
    verb: 'updateWebhook',
    input: {},
    attempt: async () => {
      const { id, revision, record: before } = await loadWebhook(context, caller, input.webhookId);
      await refuseBadWebhook(context, caller, input.url, problemsOf(before, input));
      const edited = edit(before, input, context.clock.now());
      const { stored, reader, ...more } = await switched(context, caller, edited, input);
      const documents: DocumentChange[] = [
        { type: 'webhook', id, record: stored, expected: revision },
        ...(reader ? [reader] : []),
      ];
      return { change: { ...more, documents }, resource: { type: 'webhook', id }, result: shown(stored) };
    },
    reload: (id) => shownById(context, caller, id),
  });
  context.webhooks.changed();
  return updated;
}

function problemsOf({ record, secrets }: StoredWebhook, { headers, format, status, from }: Update): Problem[] {
  const isEnabling = status === 'enabled' && record.status === 'disabled';
  return [
    ...checkHeaders(headers ?? {}),
    ...secrets
      .flatMap(({ secret }) => checkSecret(secret, format ?? record.format))
      .slice(0, 1)
      .map(({ code }) => ({ pointer: '/format', code, message: 'Rotate the secret to one of this format first.' })),
    ...(from !== undefined && !isEnabling
      ? [{ pointer: '/from', code: 'from', message: 'It goes with status enabled of a webhook that is disabled.' }]
      : []),
  ];
}

function edit(before: StoredWebhook, input: Update, now: number): StoredWebhook {
  const { webhookId: _, headers, status: __, from: ___, ...given } = input;
  const record = Object.fromEntries(
    Object.entries({ ...before.record, ...given, updatedAt: timestamp(now) }).filter(([, value]) => value !== null),
  ) as Webhook;
  if (!headers) return { ...before, record };
  return { ...before, headers, record: { ...record, headerNames: Object.keys(headers) } };
}

async function switched(
  { store, clock }: Context,
  caller: Caller,
  before: StoredWebhook,
  { status, from = 'last' }: Update,
): Promise<WebhookChange> {
  const { orgId } = caller;
  const { id } = before.record;
  const now = clock.now();
  if (status === undefined || status === before.record.status) return { stored: before };
  if (status === 'disabled') {
    const { stored, event } = disable(before, { reason: 'asked', now, by: actorOf(caller) });
    const hasThread = (await store.getThread({ orgId, id: noticesThreadId })) !== undefined;
    return { stored, timers: [{ kind: 'webhook', id, dueAt: null }], ...notice(event, hasThread) };
  }
  const change: WebhookChange = { stored: enable(before, now), timers: [{ kind: 'webhook', id, dueAt: now }] };
  if (from === 'last') return change;
  const reader = await store.getDocument({ orgId, type: 'reader', id: readerOf(id) });
  const cursor = await store.headCursor();
  return {
    ...change,
    ...(reader ? { reader: { type: 'reader', id: reader.id, record: { cursor }, expected: reader.revision } } : {}),
    changedDeliveries: await givenUp(store, { orgId, webhookId: id, now }),
  };
}

/** All that is pending, as dead; what an attempt still in flight says afterwards changes nothing of that. */
async function givenUp(
  store: Context['store'],
  { now, ...of }: { orgId: string; webhookId: string; now: number },
): Promise<DeliveryChange[]> {
  const all: DeliveryChange[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.listDeliveries({
      ...of,
      status: 'pending',
      order: 'oldest',
      limit: 1_000,
      ...(cursor === undefined ? {} : { cursor }),
    });
    for (const { nextAttemptAt: _, ...rest } of page.items)
      all.push({ record: { ...rest, status: 'dead', settledAt: timestamp(now) }, from: 'pending' });
    cursor = page.next;
  } while (cursor !== undefined);
  return all;
}
