/** The events of the log, and ephemeral events, as types: `type` says what `data` holds. */
import type { Actor } from './actor.ts';
import type { EventType } from './event.ts';
import type { FreeObject } from './free-json.ts';
import type { Answer, Interaction } from './interaction.ts';
import type { StoredFile } from './verbs/files.ts';
import type { Grant } from './verbs/grants.ts';
import type { Message } from './verbs/messages.ts';
import type { Run } from './verbs/runs.ts';
import type { Thread } from './verbs/threads.ts';

/** What an event of each type holds. A later version of the server may send more than this. */
export interface EventData {
  'thread.created': { thread: Thread };
  /** `was` has the earlier value of each property that changed; null if there was none. */
  'thread.updated': { thread: Thread; was: FreeObject };
  'message.created': { message: Message };
  'message.completed': { message: Message };
  'message.cancelled': { message: Message };
  'file.attached': { file: StoredFile };
  'interaction.created': { version: number; interaction: Interaction };
  /** `changed` has the new value of each property that changed; null if it was removed. */
  'interaction.updated': { version: number; changed: FreeObject };
  'interaction.voted': { version: number; vote: Answer };
  'interaction.reminded': { version: number; deadline: NonNullable<Interaction['deadline']> };
  'interaction.escalated': { version: number; added: string[]; assignees: string[] };
  'interaction.answered': { version: number; answer: Answer };
  'interaction.declined': { version: number; answer: Answer };
  'interaction.cancelled': { version: number; reason?: string };
  'interaction.expired': { version: number };
  'interaction.secrets-taken': { secretFields: string[] };
  'run.started': { run: Run };
  'run.resumed': { run: Run };
  'run.waiting': { run: Run };
  'run.woken': { run: Run };
  'run.completed': { run: Run };
  'run.failed': { run: Run };
  'run.cancelled': { run: Run };
  'grant.created': { version: number; grant: Grant };
  'grant.revoked': { grant: Grant };
  'webhook.disabled': { webhook: { id: string; description?: string }; reason: string };
  'telemetry.recorded': { name: string; props: FreeObject; id?: string; at: string };
}

/** Event types that are about an interaction, which the event names. */
export type InteractionEventType = Extract<EventType, `interaction.${string}` | `grant.${string}`>;

interface Place {
  /** Place in the org's log; cursors sort as text. Resume from it by Last-Event-ID. */
  cursor: string;
  threadId: string;
  /** Place in the thread's log: 1, 2, 3, … without a gap. */
  seq: number;
  at: string;
  actor: Actor;
}

interface EventAboutInteraction<T extends EventType> extends Place {
  type: T;
  interactionId: string;
  data: EventData[T];
}

interface OtherEvent<T extends EventType> extends Place {
  type: T;
  interactionId?: string;
  data: EventData[T];
}

/** An event of one type, or of any of several. */
export type LogEventOf<T extends EventType> = T extends InteractionEventType ? EventAboutInteraction<T> : OtherEvent<T>;

export type LogEvent = LogEventOf<EventType>;

interface MessageDelta {
  threadId: string;
  type: 'message.delta';
  at: string;
  actor: Actor;
  /** `offset` is the place of `text` in the message, in UTF-16 units. */
  data: { messageId: string; text: string; offset: number };
}

interface ThreadTyping {
  threadId: string;
  type: 'thread.typing';
  at: string;
  actor: Actor;
  data: Record<string, never>;
}

/** An event that is not stored: only streams with `ephemeral=true` that are open at that moment get it. */
export type EphemeralEvent = MessageDelta | ThreadTyping;
