/** A file somebody uploaded for a field of an interaction. Its bytes are kept apart from its record. */
import { type Static, Type } from 'typebox';
import { ActorSchema } from './actor.ts';
import { TimestampSchema } from './free-json.ts';
import { limits } from './limits.ts';

const strict = { additionalProperties: false };

export const StoredFileSchema = Type.Object(
  {
    id: Type.String(),
    threadId: Type.String(),
    interactionId: Type.Optional(Type.String({ description: 'The question it was uploaded for, if any.' })),
    field: Type.Optional(Type.String({ description: 'The upload field of that question.' })),
    messageId: Type.Optional(Type.String({ description: 'The message that it came with, if any.' })),
    name: Type.String({ maxLength: limits.nameLength, description: 'Safe as the name of a file on any system.' }),
    mime: Type.String({ description: 'As its content says, which may differ from what was sent.' }),
    size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
    sha256: Type.String({ description: 'Of its bytes, in hex.' }),
    width: Type.Optional(Type.Integer({ minimum: 1, description: 'Of an image, in pixels.' })),
    height: Type.Optional(Type.Integer({ minimum: 1, description: 'Of an image, in pixels.' })),
    retention: Type.Enum(['persistent', 'transient'], {
      description: 'transient: deleted when the run that asked for it ends.',
    }),
    isAnswered: Type.Boolean({
      description:
        'Whether an answer carries it. One that was uploaded for a question and that none does is deleted after a day.',
    }),
    by: ActorSchema,
    at: TimestampSchema,
  },
  strict,
);

export const FileLinkSchema = Type.Object(
  {
    url: Type.String({ description: 'Whoever has it may read the file until it expires.' }),
    expiresAt: TimestampSchema,
  },
  strict,
);

export const LinkFileSchema = Type.Object(
  {
    ttlSeconds: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.fileLinkSeconds, description: 'For how long (an hour).' }),
    ),
  },
  strict,
);

export type StoredFile = Static<typeof StoredFileSchema>;
export type FileLink = Static<typeof FileLinkSchema>;
export type LinkFile = Static<typeof LinkFileSchema>;

/** What is sent for a field; its bytes come piece by piece. */
export interface UploadFile {
  interactionId: string;
  field: string;
  name: string;
  /** As the sender says; the content decides. */
  mime?: string;
  /** How many bytes will come at least, as far as the sender says: what is too large is refused before it is read. */
  announcedBytes?: number;
  /** A piece is valid until the next one is asked for. */
  content: AsyncIterable<Uint8Array>;
}

/** A file for a thread, which no question asks for. */
export interface AttachFile extends Omit<UploadFile, 'interactionId' | 'field'> {
  threadId: string;
  /** The message of that thread that it belongs to. Not read before the content has been, because a form may name it last. */
  messageId?: string | undefined;
}

export interface OpenedFile {
  file: StoredFile;
  content: AsyncIterable<Uint8Array>;
}
