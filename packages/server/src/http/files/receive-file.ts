/** Receives a file while it arrives: a part of a form, or the whole body. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Transform, type Writable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { HoldpointError, limits } from '@holdpoint/protocol';
import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../../operations/invalid-input.ts';
import type { SentFile } from '../../routes/route.ts';

/** A sender of less than this in that time is gone, or only wants to hold the connection. */
const movingBytes = 1024;
const movingMs = 30_000;
/** Longest time of an upload, however fast it is. */
const longestMs = 30 * 60_000;
/** Size of everything in a form around the file. */
const formBytes = 16 * 1024;
const mostBytes = limits.fileSizeMb * 1024 * 1024 + formBytes;

const receiving = new WeakSet<Socket>();

/** Reports whether the socket carries a file, to which Node's time limit of a request does not apply. */
export const isReceiving = (socket: Socket): boolean => receiving.has(socket);

export interface Reception {
  /** Resolves as soon as the file begins. */
  file: Promise<SentFile>;
  /** Stops reading. */
  end(): void;
  /** Stops reading, and passes the error to the reader of the file. */
  breakOff(error: Error): void;
}

export function receiveFile({ raw, headers, query }: FastifyRequest): Reception {
  const contentType = headers['content-type'] ?? 'application/octet-stream';
  const announced = Number(headers['content-length'] ?? 0);
  const isForm = /^multipart\/form-data/i.test(contentType);
  const parts = isForm ? partsOf(contentType) : wholeBody(contentType, query, announced > 0);
  const announcedBytes = isForm ? Math.max(announced - formBytes, 0) : announced;
  const { end, release, stop } = moving(raw, parts);
  const file = parts.file.then((sent) => ({ ...sent, announcedBytes, content: released(sent.content, release) }));
  return { file, end, breakOff: stop };
}

interface Parts {
  sink: Writable;
  file: Promise<SentFile>;
  /** Returns how many of the bytes given to the sink belong to no file. */
  otherBytes(given: number): number;
  /** Passes the error to the reader of the file, also before the file begins. */
  breakOff(error: Error): void;
  /** Called at the end of the body. */
  ended(): void;
}

function wholeBody(mime: string, query: unknown, isAnnounced: boolean): Parts {
  const { name } = query as { name?: string };
  const begun = Promise.withResolvers<SentFile>();
  begun.promise.catch(() => {});
  const body = new Transform({
    transform(piece, _encoding, done) {
      begin();
      done(null, piece);
    },
    flush(done) {
      begun.reject(noFile());
      done();
    },
  });
  const begin = () => begun.resolve({ name: name ?? 'file', mime, content: body });
  // A request without a body is a mistake, not an empty file. So a file of unknown length begins with its first byte. A
  // file of known length begins at once, so that it is rejected before it is read if it is too large.
  if (isAnnounced) begin();
  // The reader gets the error. Without a reader, the process must not crash.
  body.on('error', () => {});
  return {
    sink: body,
    file: begun.promise,
    otherBytes: () => 0,
    breakOff(error) {
      begun.reject(error);
      body.destroy(error);
    },
    ended() {},
  };
}

/** The part named `file`, and a few short texts. Rejects a second file. */
function partsOf(contentType: string): Parts {
  const form = newForm(contentType);
  const begun = Promise.withResolvers<SentFile>();
  const whole = Promise.withResolvers<void>();
  // Without a reader, the process must not crash.
  begun.promise.catch(() => {});
  whole.promise.catch(() => {});
  let content: (Readable & { bytesRead: number }) | undefined;
  const fields = new Map<string, string>();
  form.on('field', (name, value) => fields.set(name, value));
  const breakOff = (error: Error) => {
    begun.reject(error);
    whole.reject(error);
    content?.destroy(error);
    form.destroy();
  };
  form.on('file', (field, part, name, _encoding, mime) => {
    part.on('error', (error) => breakOff(asFault(error)));
    // Only one file is stored, and the sender would believe that both are.
    if (content || field !== 'file') {
      part.resume();
      const second = { pointer: '/file', code: 'max-items', message: 'Send one file per call.' };
      return breakOff(content ? invalidInput([second]) : noFile());
    }
    content = part;
    // The parser reports this type for a part without a type.
    const type = mime === 'text/plain' ? {} : { mime };
    begun.resolve({ name: name ?? 'file', ...type, fields, content: untilWhole(part, whole.promise) });
  });
  form.on('error', (error) => breakOff(asFault(error)));
  form.on('finish', () => {
    begun.reject(noFile());
    whole.resolve();
  });
  // The parser reports no end for some broken forms, even after it has read all of them.
  const ended = () =>
    setImmediate(() =>
      setImmediate(() => {
        if (content && !content.readableEnded && !content.destroyed) content.once('end', ended);
        else breakOff(noFile());
      }),
    );
  // Bytes that are not parsed yet may belong to the file.
  const otherBytes = (given: number) => given - form.writableLength - (content?.bytesRead ?? 0);
  return { sink: form, file: begun.promise, otherBytes, breakOff, ended };
}

/** Fails if the form breaks off after the file. */
async function* untilWhole(part: Readable, whole: Promise<void>): AsyncIterable<Uint8Array> {
  try {
    yield* part;
  } catch (error) {
    throw asFault(error);
  }
  await whole;
}

function newForm(contentType: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      isPartAFile: (field, _mime, name) => field === 'file' || name !== undefined,
      limits: { files: 2, fields: 5, fieldNameSize: 100, fieldSize: 1_024, headerPairs: 20, headerSize: 8_192 },
    });
  } catch (error) {
    throw asFault(error);
  }
}

const noFile = (): HoldpointError =>
  invalidInput([{ pointer: '/file', code: 'required', message: 'Send the file as the part "file" of a form.' }]);

/** Converts an error of the parser. Our own errors stay as they are. */
const asFault = (error: unknown): HoldpointError =>
  error instanceof HoldpointError
    ? error
    : invalidInput([
        { pointer: '/file', code: 'form', message: `The form could not be read: ${(error as Error).message}.` },
      ]);

/** Passes the bytes on, no faster than they are read, until they stop for too long or are too many. */
function moving(raw: IncomingMessage, { sink, otherBytes, breakOff, ended }: Parts) {
  let size = 0;
  let sizeBefore = 0;
  const held: { piece: Buffer; end: number }[] = [];
  const stop = (error: Error) => {
    end();
    breakOff(error);
  };
  const late = () => stop(new HoldpointError({ code: 'request-timeout', detail: 'The file did not arrive in time.' }));
  const stalled = setInterval(() => {
    if (size - sizeBefore < movingBytes) late();
    sizeBefore = size;
  }, movingMs);
  const tooLong = setTimeout(late, longestMs);
  const untime = () => {
    clearInterval(stalled);
    clearTimeout(tooLong);
  };
  const onData = (piece: Buffer) => {
    // The bytes of an endless form around a small file would be held until the end of the file.
    if (otherBytes(size) > formBytes)
      return stop(tooMuch(`A form may have at most ${formBytes / 1024} KB around its file.`));
    size += piece.byteLength;
    held.push({ piece, end: size });
    if (size > mostBytes) stop(tooMuch(`A file may have at most ${limits.fileSizeMb} MB.`));
  };
  const onEnd = () => {
    // From here on, the sender causes no delay.
    untime();
    ended();
  };
  const onClose = () => {
    if (!raw.complete) stop(new Error('The sender is gone.'));
  };
  const end = () => {
    untime();
    raw.off('data', onData).off('end', onEnd).off('close', onClose).unpipe(sink);
    receiving.delete(raw.socket);
  };
  /** No byte of the file has a lower position in the body than in the file, so earlier pieces are no longer needed. */
  const release = (taken: number) => {
    while (held[0] && held[0].end <= taken) letGo(held.shift()?.piece);
  };
  receiving.add(raw.socket);
  raw.on('data', onData).on('end', onEnd).on('close', onClose);
  raw.pipe(sink);
  return { end, release, stop };
}

const tooMuch = (detail: string): HoldpointError => new HoldpointError({ code: 'file-too-large', detail });

/** Passes pieces on. A reader that asks for the next piece no longer needs the previous one. */
async function* released(content: AsyncIterable<Uint8Array>, release: (taken: number) => void) {
  let taken = 0;
  for await (const piece of content) {
    yield piece;
    taken += piece.byteLength;
    release(taken);
  }
}

/** Frees the memory of a piece at once. With the garbage collector alone, an upload of 100 MB held 50 MB. */
function letGo(piece: Buffer | undefined): void {
  if (piece && piece.byteLength === piece.buffer.byteLength) (piece.buffer as ArrayBuffer).transfer(0);
}
