/** An event: a committed fact with its place in the log of its thread. The log is append-only and has no gaps. */
import { type Static, Type } from 'typebox';
import {
  type Actor,
  ActorSchema,
  described,
  type FreeObject,
  FreeObjectSchema,
  strictObject,
  TimestampSchema,
} from './base-schemas.ts';
import type { Answer, Claim, Interaction } from './interaction.ts';
import type { StoredFile } from './verbs/files.ts';
import type { Grant } from './verbs/grants.ts';
import type { Message } from './verbs/messages.ts';
import type { Run } from './verbs/runs.ts';
import type { Thread } from './verbs/threads.ts';

export const eventTypes = [
  'thread.created',
  'thread.updated',
  'message.created',
  'message.completed',
  'message.cancelled',
  'file.attached',
  'interaction.created',
  'interaction.updated',
  'interaction.voted',
  'interaction.reminded',
  'interaction.escalated',
  'interaction.claimed',
  'interaction.released',
  'interaction.reassigned',
  'interaction.answered',
  'interaction.declined',
  'interaction.cancelled',
  'interaction.expired',
  'interaction.secrets-taken',
  'run.started',
  'run.resumed',
  'run.waiting',
  'run.woken',
  'run.completed',
  'run.failed',
  'run.cancelled',
  'grant.created',
  'grant.revoked',
  'webhook.disabled',
  'telemetry.recorded',
] as const;

export const EventTypeSchema = Type.Enum([...eventTypes]);

export const EventSchema = strictObject({
  cursor: Type.String({
    description: 'Position in the log of the org. Cursors sort as text. Send the last one as Last-Event-ID to resume.',
  }),
  threadId: Type.String(),
  seq: Type.Integer({ minimum: 1, description: 'Position in the log of the thread: 1, 2, 3, … without a gap.' }),
  type: EventTypeSchema,
  at: TimestampSchema,
  actor: ActorSchema,
  interactionId: Type.Optional(Type.String()),
  data: FreeObjectSchema,
});

export const ephemeralTypes = ['message.delta', 'thread.typing', 'interaction.viewing'] as const;

export const EphemeralEventSchema = described(
  'Published only to streams that are open at that moment, and not stored: message.delta {messageId, text, offset}, thread.typing {}, interaction.viewing {interactionId, by, isViewing}.',
  {
    threadId: Type.String(),
    type: Type.Enum([...ephemeralTypes]),
    at: TimestampSchema,
    actor: ActorSchema,
    data: FreeObjectSchema,
  },
);

export type EventType = Static<typeof EventTypeSchema>;

/** The `data` of an event, by its type. A later version of the server may send more than this. */
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
  'interaction.claimed': { version: number; claim: Claim };
  'interaction.released': { version: number };
  /** `removed` are the assignees that may no longer answer. `from` is the one that was replaced, if a responder delegated. */
  'interaction.reassigned': {
    version: number;
    added: string[];
    removed: string[];
    assignees: string[];
    reason?: string;
    from?: string;
  };
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

interface OtherEvent<T extends EventType> {
  /** Position in the log of the org. Cursors sort as text. Send the last one as Last-Event-ID to resume. */
  cursor: string;
  threadId: string;
  /** Position in the log of the thread: 1, 2, 3, … without a gap. */
  seq: number;
  at: string;
  actor: Actor;
  type: T;
  interactionId?: string;
  data: EventData[T];
}

interface EventAboutInteraction<T extends EventType> extends OtherEvent<T> {
  interactionId: string;
}

/** An event of one type, or of any of several. */
export type LogEventOf<T extends EventType> = T extends InteractionEventType ? EventAboutInteraction<T> : OtherEvent<T>;

export type LogEvent = LogEventOf<EventType>;

interface Ephemeral<T extends (typeof ephemeralTypes)[number], Data> {
  threadId: string;
  type: T;
  at: string;
  actor: Actor;
  data: Data;
}

/**
 * An event that is not stored: only streams with `ephemeral=true` that are open at that moment get it. `offset` is the
 * place of `text` in the message, in UTF-16 units.
 */
export type EphemeralEvent =
  | Ephemeral<'message.delta', { messageId: string; text: string; offset: number }>
  | Ephemeral<'thread.typing', Record<string, never>>
  | Ephemeral<'interaction.viewing', { interactionId: string; by: Actor; isViewing: boolean }>;
