/** The headers of a file somebody uploaded: a browser may show some of them, and runs none. */
import type { StoredFile } from '@holdpoint/protocol';

/** What no browser takes for anything that acts. SVG and HTML are never among them, nor is what has a viewer of its own. */
const inline = ['image/png', 'image/jpeg', 'image/jpg', 'image/gif', 'image/webp', 'image/avif', 'text/plain'];

export const etagOf = ({ sha256 }: StoredFile): string => `"${sha256}"`;

export function contentHeaders(file: StoredFile): Record<string, string> {
  const { name, mime } = file;
  return {
    'content-type': isReadAsText(mime) ? 'text/plain; charset=utf-8' : mime,
    'content-disposition': disposition(inline.includes(mime) ? 'inline' : 'attachment', name),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "sandbox; default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag: etagOf(file),
  };
}

/** Pages, scripts and styles are texts here: whoever wants them to act must save them first. */
const isReadAsText = (mime: string): boolean => mime.startsWith('text/') && mime !== 'text/csv';

/** RFC 6266: the name itself, and for those who cannot read it one of ASCII. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${type}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${encoded}`}`;
}
