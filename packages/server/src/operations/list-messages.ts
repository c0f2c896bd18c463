import type { Message, MessageFilter, Page } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import type { Context } from './context.ts';
import { loadThread } from './load.ts';
import { showSoFar } from './load-message.ts';
import { page, pageLimit } from './page.ts';
import { authorize } from './perform.ts';

export async function listMessages(context: Context, caller: Caller, filter: MessageFilter): Promise<Page<Message>> {
  authorize(caller, 'listMessages');
  const { id: threadId } = await loadThread(context, caller, filter.threadId);
  const { order = 'oldest', cursor } = filter;
  const { items, next } = await context.store.listMessages({
    ...{ orgId: caller.orgId, threadId, order, limit: pageLimit(filter.limit) },
    ...(cursor === undefined ? {} : { cursor }),
  });
  const shown = await Promise.all(items.map((message) => showSoFar(context, caller, message)));
  return page({ items: shown, ...(next === undefined ? {} : { next }) });
}
