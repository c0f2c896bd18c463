/** Small files of many types, and ways to send them. */
import { deflateSync } from 'node:zlib';
import type { FileRef } from '@holdpoint/protocol';
import type { Client, Reply } from './client.ts';

const bytes = (...parts: (string | number[] | Uint8Array)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

function pngChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(data.byteLength);
  head.write(type, 4, 'latin1');
  return bytes(head, data, [0, 0, 0, 0]);
}

/** Its checksums are wrong, but no test checks them. */
export function png(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc(64));
  return bytes(
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...[pngChunk('IHDR', header), pngChunk('IDAT', rows), pngChunk('IEND', new Uint8Array())],
  );
}

/** 300 × 200, after a comment of some kilobytes. */
export const jpeg = bytes(
  [0xff, 0xd8, 0xff, 0xe0, 0, 16],
  'JFIF\0',
  [1, 1, 0, 0, 1, 0, 1, 0, 0],
  [0xff, 0xfe, 0x20, 0x02],
  'c'.repeat(0x2000),
  [0xff, 0xc0, 0, 17, 8, 0, 200, 1, 44, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
  [0xff, 0xda, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x11, 0, 0x3f, 0, 0xff, 0xd9],
);
export const gif = bytes('GIF89a', [44, 1, 200, 0, 0x80, 0, 0], [0, 0, 0, 255, 255, 255, 0x3b]);
export const webp = bytes('RIFF', [0x1a, 0, 0, 0], 'WEBPVP8L', [0x0d, 0, 0, 0, 0x2f, 0x2b, 0xc1, 0x31, 0, 0, 0, 0, 0]);
export const pdf = bytes('%PDF-1.4\n%', [0xe2, 0xe3, 0xcf, 0xd3], '\n1 0 obj\n<<>>\nendobj\ntrailer <<>>\n%%EOF\n');
/** Contains one empty file, named a. */
export const zip = bytes(
  'PK\x03\x04',
  [20, ...Array<number>(21).fill(0), 1, 0, 0, 0],
  'a',
  'PK\x05\x06',
  Buffer.alloc(18),
);
export const exe = bytes('MZ', [0x90, 0, 3, 0, 0, 0, 4, 0, 0, 0, 0xff, 0xff, 0, 0], Buffer.alloc(100), 'PE\0\0');
export const html = bytes('<!DOCTYPE html>\n<html><script>alert(1)</script></html>');
export const svg = bytes(
  '<?xml version="1.0"?>\n<!-- a picture -->\n<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
);
export const text = bytes('Dear all,\nthis is a text.\n');

export interface SentUpload {
  field?: string;
  name?: string;
  mime?: string;
  content?: Uint8Array;
  /** Sends the file as the body itself, and not as a part of a form. */
  isRaw?: boolean;
}

export const uploadsOf = (interactionId: string, field = 'photo', name?: string): string =>
  `/v1/interactions/${interactionId}/uploads?${new URLSearchParams({ field, ...(name === undefined ? {} : { name }) })}`;

export async function upload(
  { url, token }: Client,
  interactionId: string,
  { field = 'photo', name = 'a.png', mime = 'image/png', content = png(3, 2), isRaw = false }: SentUpload = {},
): Promise<Reply<FileRef>> {
  const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  const blob = new Blob([Uint8Array.from(content)], { type: mime });
  const form = new FormData();
  form.append('note', 'parts with other names are passed by');
  form.append('file', blob, name);
  const response = await fetch(url + uploadsOf(interactionId, field, isRaw ? name : undefined), {
    method: 'POST',
    headers: isRaw ? { ...authorization, 'content-type': mime } : authorization,
    body: isRaw ? blob : form,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as FileRef };
}
