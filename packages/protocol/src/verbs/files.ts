/** The verbs of files: uploads that answer a field, and files attached to a thread. The bytes are stored apart from the record. */
import { type Static, Type } from 'typebox';
import { ActorSchema, strictObject, TimestampSchema, wholeNumber } from '../base-schemas.ts';
import { type FileRef, FileRefSchema } from '../fields/file-ref.ts';
import { limits } from '../limits.ts';
import { Id, type Page, PageQuery, type PageRequest, pageOf } from './call.ts';
import { specsOf } from './specs-of.ts';
import { answerers, answerReaders, everybody, keys, threadReaders } from './verb-spec.ts';

const StoredFileSchema = strictObject({
  id: Type.String(),
  threadId: Type.String(),
  interactionId: Type.Optional(Type.String({ description: 'The interaction that asked for it, if there is one.' })),
  field: Type.Optional(Type.String({ description: 'The upload field of that interaction.' })),
  messageId: Type.Optional(Type.String({ description: 'The message that has it, if there is one.' })),
  name: Type.String({ maxLength: limits.nameLength, description: 'Safe as a file name on any system.' }),
  mime: Type.String({ description: 'The MIME type of its content, which can differ from the type that was sent.' }),
  size: Type.Integer({ minimum: 0, description: 'Size in bytes.' }),
  sha256: Type.String({ description: 'SHA-256 of its bytes, in hexadecimal.' }),
  width: Type.Optional(Type.Integer({ minimum: 1, description: 'Pixels, for an image.' })),
  height: Type.Optional(Type.Integer({ minimum: 1, description: 'Pixels, for an image.' })),
  retention: Type.Enum(['persistent', 'transient'], {
    description: 'transient: the file is deleted when the run that asked for it ends.',
  }),
  isAnswered: Type.Boolean({
    description:
      'Whether an answer has it. A file that was uploaded for an interaction is deleted after a day without an answer.',
  }),
  by: ActorSchema,
  at: TimestampSchema,
});

const FileLinkSchema = strictObject({
  url: Type.String({ description: 'Anyone with this link can read the file until the link expires.' }),
  expiresAt: TimestampSchema,
});

const LinkFileSchema = strictObject({
  ttlSeconds: Type.Optional(wholeNumber(1, limits.fileLinkSeconds, 'Validity in seconds. Default: an hour.')),
});

export type StoredFile = Static<typeof StoredFileSchema>;
export type FileLink = Static<typeof FileLinkSchema>;
export type LinkFile = Static<typeof LinkFileSchema>;

/** A file for a field of an interaction. Its bytes come piece by piece. */
export interface UploadFile {
  interactionId: string;
  field: string;
  name: string;
  /** The type that the sender gives. The server determines the type from the content. */
  mime?: string;
  /** The number of bytes that the sender announces. A file that is too large is rejected before it is read. */
  announcedBytes?: number;
  /** A piece is valid until the next one is requested. */
  content: AsyncIterable<Uint8Array>;
}

/** A file for a thread that no interaction asked for. */
export interface AttachFile extends Omit<UploadFile, 'interactionId' | 'field'> {
  threadId: string;
  /** The message that the file belongs to. It is read after the content, because a form can name it last. */
  messageId?: string | undefined;
}

/** A file and its bytes. */
export interface OpenedFile {
  file: StoredFile;
  content: AsyncIterable<Uint8Array>;
}

const Name = Type.String({ minLength: 1, maxLength: limits.nameLength });
const name = Type.Optional(Type.String({ ...Name, description: 'File name, if the body is the file itself.' }));
const asForm =
  'Send multipart/form-data with a part named file, or the file as the body, with its content type and with its name in the query.';

export interface FileVerbs {
  /** Uploads a file for a field. Returns the value of that field for an answer. */
  uploadFile(input: UploadFile): Promise<FileRef>;
  /** Attaches a file to a thread without an interaction. */
  attachFile(input: AttachFile): Promise<StoredFile>;
  /** Lists the files that were attached to a thread, the newest first. */
  listFiles(input: { threadId: string } & PageRequest): Promise<Page<StoredFile>>;
  /** Gets the record of a file, without its bytes. */
  getFile(input: { fileId: string }): Promise<StoredFile>;
  /** Opens a file: its bytes, or those from `from` up to but without `to`. */
  openFile(input: { fileId: string; from?: number; to?: number }): Promise<OpenedFile>;
  /** Creates a link by which anyone can read the file for a while. */
  linkFile(input: { fileId: string } & LinkFile): Promise<FileLink>;
  /** Deletes a file. */
  deleteFile(input: { fileId: string }): Promise<StoredFile>;
}

export const fileVerbs = specsOf<FileVerbs>()({
  uploadFile: {
    callers: answerers,
    summary: 'Upload a file for a field',
    description: `${asForm} The result is the value of the field in an answer. Without an answer the file is deleted after a day.`,
    input: strictObject({ field: Type.String({ ...Name, description: 'The upload field of the interaction.' }), name }),
    takesFile: true,
    status: 201,
    output: FileRefSchema,
  },
  attachFile: {
    callers: keys,
    summary: 'Attach a file to a thread',
    description: `${asForm} The file is kept until you delete it. To send it with a message, put its id into \`files\` of that message.`,
    input: strictObject({
      messageId: Type.Optional(Type.String({ ...Id, description: 'The message that the file belongs to.' })),
      name,
    }),
    takesFile: true,
    status: 201,
    output: StoredFileSchema,
  },
  listFiles: {
    callers: threadReaders,
    summary: 'List the files of a thread',
    description: 'Lists attached files, the newest first. Files of answers are not included.',
    input: PageQuery,
    output: pageOf(StoredFileSchema),
  },
  getFile: {
    callers: everybody,
    summary: 'Get the record of a file',
    description: 'Returns its name, type, size and hash, without its bytes.',
    output: StoredFileSchema,
  },
  openFile: {
    callers: answerReaders,
    summary: 'Download a file',
    description:
      'Needs a key, a token or a link. The query of a link has all three of org, expires and signature. Supports Range, If-Range and If-None-Match. Browsers display pictures and plain text, and download all other files.',
    input: strictObject({
      org: Type.Optional(Id),
      expires: Type.Optional(Type.Integer({ minimum: 0 })),
      signature: Type.Optional(Id),
    }),
    givesFile: true,
    output: Type.String({ format: 'binary' }),
  },
  linkFile: {
    callers: everybody,
    summary: 'Create a link to a file',
    description:
      'Anyone with the link can download the file until it expires: after an hour, or after `ttlSeconds`. A link made with a responder token is valid for at most an hour.',
    input: LinkFileSchema,
    status: 201,
    output: FileLinkSchema,
  },
  deleteFile: {
    callers: keys,
    summary: 'Delete a file',
    description: 'Deletes the bytes and the record. An answer that has the file keeps its description.',
    output: StoredFileSchema,
  },
});
