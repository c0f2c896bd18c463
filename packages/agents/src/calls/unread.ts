/** All messages of people that were not read, without waiting for one. */
import type { HoldpointService, Message } from '@holdpoint/protocol';
import { fitsEntry } from '../engine/as-json.ts';
import type { CallKind } from '../engine/call.ts';
import type { Inbox } from './inbox.ts';
import { recallMessage } from './say.ts';

type Kept = { seq: number } & Parameters<typeof recallMessage>[1];

export const unread = ({ service, inbox }: { service: HoldpointService; inbox: Inbox }): CallKind<Message[]> => ({
  type: 'message',
  name: 'unread',
  async play() {
    const found = await inbox.takeAll();
    const whole = { messages: found };
    const data = fitsEntry(whole)
      ? whole
      : { messages: found.map(({ seq, message }): Kept => ({ seq, messageId: message.id })) };
    return { data, value: found.map(({ message }) => message) };
  },
  recall: (data) => Promise.all((data as { messages: Kept[] }).messages.map((kept) => recallMessage(service, kept))),
});
