/** The calls of messages: `say` with a whole message, `message` and `unread`, and the inbox of a run. */
import {
  type HoldpointService,
  type LogEvent,
  limits,
  type Message,
  type PostMessage,
  PostMessageSchema,
  type Run,
} from '@holdpoint/protocol';
import type { Said } from '../agent.ts';
import { checked, fitsEntry } from '../engine/as-json.ts';
import type { CallKind } from '../engine/call.ts';
import { reach } from '../engine/errors.ts';
import type { Asked, Journal } from '../engine/journal.ts';

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
      const post = checked(PostMessageSchema, toPost(said), 'The message') as PostMessage;
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

export interface ReadMessage {
  seq: number;
  message: Message;
}

type Inbox = ReturnType<typeof inboxOf>;

/**
 * The messages of people that a run got, and which of them it has read. The message at `fromSeq` began the run. Messages
 * after `deliveredSeq` belong to a later batch.
 */
export function inboxOf(service: HoldpointService, { threadId, fromSeq, deliveredSeq }: Run, journal: Journal) {
  const read = seqsRead(journal);
  /** All messages up to here were read. */
  let low = fromSeq - 1;
  let taking: Promise<unknown> = Promise.resolve();

  /** Runs one at a time, in the order of the calls. */
  function inTurn<T>(take: () => Promise<T>): Promise<T> {
    const taken = taking.then(take);
    taking = taken.catch(() => {});
    return taken;
  }

  async function takeNext(): Promise<ReadMessage | undefined> {
    const before = low;
    const found = await find(before);
    // A message may have been put back in the meantime.
    if (low === before) low = found?.seq ?? deliveredSeq;
    return found;
  }

  async function find(place: number): Promise<ReadMessage | undefined> {
    for (let after = place; after < deliveredSeq; ) {
      const data = await page(after, limits.pageSize);
      const found = data.flatMap(messageIn).find(({ seq }) => seq <= deliveredSeq && !read.has(seq));
      if (found) {
        read.add(found.seq);
        return found;
      }
      after = data.at(-1)?.seq ?? deliveredSeq;
    }
    return undefined;
  }

  const page = async (after: number, limit: number) =>
    (await reach(() => service.readLog({ threadId, after, limit }))).data;

  return {
    /** Returns the first unread message. */
    take: () => inTurn(takeNext),
    /** Returns the first unread message except the one that began the run, which cannot be a reply to a question. */
    takeLater: () => inTurn(() => find(Math.max(low, fromSeq))),
    takeAll: () =>
      inTurn(async () => {
        const all: ReadMessage[] = [];
        for (let found = await takeNext(); found; found = await takeNext()) all.push(found);
        return all;
      }),
    putBack(seq: number): void {
      read.delete(seq);
      low = Math.min(low, seq - 1);
    },
    /** Returns a message that was read before. */
    async at(seq: number): Promise<ReadMessage> {
      const [found] = (await page(seq - 1, 1)).flatMap(messageIn);
      if (!found) throw new Error(`The log has no message at ${seq}.`);
      return found;
    },
  };
}

function messageIn({ seq, type, data }: LogEvent): ReadMessage[] {
  const message = type === 'message.created' ? (data.message as Message | undefined) : undefined;
  return message?.role === 'user' ? [{ seq, message }] : [];
}

interface Kept {
  /** Kept by `message`. */
  seq?: number;
  /** Kept by `unread`. */
  messages?: { seq: number }[];
  /** Kept by `ask`. */
  interrupted?: { seq: number };
}

/** Returns the places in the log of the messages that a run has read. */
function seqsRead({ settled, calls }: Journal): Set<number | undefined> {
  const read = new Set<number | undefined>();
  for (const { type, state, data } of settled) {
    if (state !== 'done' || (type !== 'message' && type !== 'ask')) continue;
    const { seq, messages = [], interrupted } = data as Kept;
    for (const each of [{ seq }, ...messages, interrupted]) read.add(each?.seq);
  }
  for (const { type, notes, isSettled } of calls.values())
    if (type === 'ask' && !isSettled) read.add((notes.at(-1) as Asked | undefined)?.interruptedBy);
  return read;
}
