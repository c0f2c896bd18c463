/** Takes a file from the body of a request as it comes: a part of a form, or the body itself. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Transform, type Writable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { HoldpointError, limits } from '@holdpoint/protocol';
import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../../operations/invalid-input.ts';
import type { SentFile } from '../../routes/route.ts';

/** Who sends less than this in that time is gone, or wants nothing but our patience. */
const movingBytes = 1024;
const movingMs = 30_000;
/** However it moves, by then it must be whole. */
const longestMs = 30 * 60_000;
/** What a form may have around the file. */
const formBytes = 16 * 1024;
const mostBytes = limits.fileSizeMb * 1024 * 1024 + formBytes;

const receiving = new WeakSet<Socket>();

/** Whether the socket carries a file: then Node's limit for a whole request is not for it. */
export const isReceiving = (socket: Socket): boolean => receiving.has(socket);

export interface Reception {
  /** Resolves as soon as the file begins. */
  file: Promise<SentFile>;
  /** Nothing more is read of it. */
  end(): void;
  /** Stops reading, and gives the error to the reader of the file. */
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
  /** How much of what the sink was given belongs to no file. */
  otherBytes(given: number): number;
  /** Whoever waits for the file, or for more of it, is told. */
  breakOff(error: Error): void;
  /** The body has come to its end. */
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
  // A request without a body is a mistake of its sender, not an empty file. One of unknown length is not accepted
  // before its first byte; one of known length is, so that a file that is too large is refused before it is read.
  if (isAnnounced) begin();
  // Whoever reads it hears of it; nobody may be reading yet, or any more.
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

/** The part named `file`, and a few short texts beside it. A second file is refused. */
function partsOf(contentType: string): Parts {
  const form = newForm(contentType);
  const begun = Promise.withResolvers<SentFile>();
  const whole = Promise.withResolvers<void>();
  // Nobody may be waiting for either of them.
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
    // Only one could be kept, and the sender would take the other one for kept as well.
    if (content || field !== 'file') {
      part.resume();
      return breakOff(content ? secondFile() : noFile());
    }
    content = part;
    // A part that names no type is said to have this one.
    const said = mime === 'text/plain' ? {} : { mime };
    begun.resolve({ name: name ?? 'file', ...said, fields, content: untilWhole(part, whole.promise) });
  });
  form.on('error', (error) => breakOff(asFault(error)));
  form.on('finish', () => {
    begun.reject(noFile());
    whole.resolve();
  });
  // Of some broken forms the parser never says that they have ended, though all of them has come and been read.
  const ended = () =>
    setImmediate(() =>
      setImmediate(() => {
        if (content && !content.readableEnded && !content.destroyed) content.once('end', ended);
        else breakOff(noFile());
      }),
    );
  // What still waits to be parsed may be of the file.
  const otherBytes = (given: number) => given - form.writableLength - (content?.bytesRead ?? 0);
  return { sink: form, file: begun.promise, otherBytes, breakOff, ended };
}

/** A form that breaks off after the file is broken all the same. */
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

const secondFile = (): HoldpointError =>
  invalidInput([{ pointer: '/file', code: 'max-items', message: 'Send one file with each call.' }]);

/** What the parser of forms cannot read; what we broke off ourselves has its own reason. */
const asFault = (error: unknown): HoldpointError =>
  error instanceof HoldpointError
    ? error
    : invalidInput([
        { pointer: '/file', code: 'form', message: `The form could not be read: ${(error as Error).message}.` },
      ]);

/** Lets the bytes flow, no faster than they are taken, as long as they do and are not too many. */
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
    // A form without end around a small file would be held until the file is at its own.
    if (otherBytes(size) > formBytes)
      return stop(tooMuch(`No form with more than ${formBytes / 1024} KB around its file is taken.`));
    size += piece.byteLength;
    held.push({ piece, end: size });
    if (size > mostBytes) stop(tooMuch(`No file of more than ${limits.fileSizeMb} MB is taken.`));
  };
  const onEnd = () => {
    // What takes time from here on is not the sender.
    untime();
    ended();
  };
  const onClose = () => {
    if (!raw.complete) stop(new Error('the sender is gone'));
  };
  const end = () => {
    untime();
    raw.off('data', onData).off('end', onEnd).off('close', onClose).unpipe(sink);
    receiving.delete(raw.socket);
  };
  /** Every byte of the file came no earlier in the body than it is in the file, so pieces up to there are done with. */
  const release = (taken: number) => {
    while (held[0] && held[0].end <= taken) letGo(held.shift()?.piece);
  };
  receiving.add(raw.socket);
  raw.on('data', onData).on('end', onEnd).on('close', onClose);
  raw.pipe(sink);
  return { end, release, stop };
}

const tooMuch = (detail: string): HoldpointError => new HoldpointError({ code: 'file-too-large', detail });

/** Passes pieces on; whoever asks for the next one is done with the one before. */
async function* released(content: AsyncIterable<Uint8Array>, release: (taken: number) => void) {
  let taken = 0;
  for await (const piece of content) {
    yield piece;
    taken += piece.byteLength;
    release(taken);
  }
}

/** Its memory is free at once. Left to the collector, a hundred megabytes that pass by took fifty. */
function letGo(piece: Buffer | undefined): void {
  if (piece && piece.byteLength === piece.buffer.byteLength) (piece.buffer as ArrayBuffer).transfer(0);
}
