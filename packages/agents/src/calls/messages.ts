/** The calls `message` and `unread`, which read messages of people. */
import type { HoldpointService, Message } from '@holdpoint/protocol';
import { fitsEntry } from '../engine/as-json.ts';
import type { CallKind } from '../engine/call.ts';
import type { Inbox } from './inbox.ts';
import { keepMessage, recallMessage } from './say.ts';

export const message = ({ service, inbox }: { service: HoldpointService; inbox: Inbox }): CallKind<Message> => ({
  type: 'message',
  name: '',
  async play({ waitFor }) {
    const found = await inbox.take();
    if (!found) return waitFor({ type: 'message' });
    const { seq, message: value } = found;
    return { data: { seq, ...keepMessage(value) }, value, at: Date.parse(value.at) };
  },
  recall: (data) => recallMessage(service, data as Parameters<typeof recallMessage>[1]),
});

type Kept = { seq: number } & Parameters<typeof recallMessage>[1];

/** Gives all unread messages without waiting for one. */
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
