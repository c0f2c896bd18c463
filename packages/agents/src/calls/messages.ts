/** The calls of messages: `say` with a whole message, `message` and `unread`. */
import { type HoldpointService, type Message, type PostMessage, PostMessageSchema } from '@holdpoint/protocol';
import type { Said } from '../agent.ts';
import { checked, fitsEntry } from '../engine/as-json.ts';
import type { CallKind } from '../engine/call.ts';
import { reach } from '../engine/errors.ts';
import type { Inbox } from './inbox.ts';

export interface Place {
  service: HoldpointService;
  threadId: string;
  runId: string;
}

export type InboxPlace = Place & { inbox: Inbox };

export type KeptMessage = { message: Message } | { messageId: string };

export function say({ service, threadId }: Place, said: Said): CallKind<Message> {
  return {
    type: 'say',
    name: '',
    async play({ key, ready }) {
      await ready();
      const post = checked(PostMessageSchema, toPost(said), 'What is said') as PostMessage;
      const message = await reach(() => service.postMessage({ threadId, ...post, idempotencyKey: key }));
      return { data: keepMessage(message), value: message };
    },
    recall: (data) => recallMessage(service, data as KeptMessage),
  };
}

export const keepMessage = (message: Message): KeptMessage =>
  fitsEntry(message) ? { message } : { messageId: message.id };

export const recallMessage = (service: HoldpointService, kept: KeptMessage): Message | Promise<Message> =>
  'message' in kept ? kept.message : reach(() => service.getMessage(kept));

function toPost(said: Said): PostMessage {
  if (typeof said === 'string') return { text: said };
  if ('markdown' in said)
    return { blocks: [{ type: 'message', payload: { text: said.markdown, format: 'markdown' } }] };
  return { blocks: 'type' in said ? [said] : [...said] };
}

export const message = ({ service, inbox }: InboxPlace): CallKind<Message> => ({
  type: 'message',
  name: '',
  async play({ waitFor }) {
    const found = await inbox.take();
    if (!found) return waitFor({ type: 'message' });
    const { seq, message: value } = found;
    return { data: { seq, ...keepMessage(value) }, value, at: Date.parse(value.at) };
  },
  recall: (data) => recallMessage(service, data as KeptMessage),
});

/** Returns all unread messages without waiting for one. */
export const unread = ({ service, inbox }: InboxPlace): CallKind<Message[]> => ({
  type: 'message',
  name: 'unread',
  async play() {
    const found = await inbox.takeAll();
    const whole = { messages: found };
    const ids = () => ({ messages: found.map(({ seq, message }) => ({ seq, messageId: message.id })) });
    return { data: fitsEntry(whole) ? whole : ids(), value: found.map(({ message }) => message) };
  },
  recall: (data) =>
    Promise.all((data as { messages: KeptMessage[] }).messages.map((kept) => recallMessage(service, kept))),
});
