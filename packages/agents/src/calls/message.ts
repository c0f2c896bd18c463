/** The next message of a person. */
import type { HoldpointService, Message } from '@holdpoint/protocol';
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
