/** Media types: their other names, their extensions, and which of them are text. */

const otherNames: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/apng': 'image/png',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'image/heif': 'image/heic',
  'image/x-ms-bmp': 'image/bmp',
  'image/svg': 'image/svg+xml',
  'application/x-pdf': 'application/pdf',
  'application/x-zip-compressed': 'application/zip',
  'application/x-zip': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/vnd.rar': 'application/x-rar-compressed',
  'application/x-msdos-program': 'application/x-msdownload',
  'application/x-dosexec': 'application/x-msdownload',
  'application/vnd.microsoft.portable-executable': 'application/x-msdownload',
  'application/xhtml+xml': 'text/html',
  'text/xml': 'application/xml',
  'text/rtf': 'application/rtf',
  'text/json': 'application/json',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
  'video/x-msvideo': 'video/vnd.avi',
  'video/x-matroska': 'video/matroska',
};

const office = 'application/vnd.openxmlformats-officedocument';
const byExtension: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  jpe: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  ico: 'image/x-icon',
  heic: 'image/heic',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  '7z': 'application/x-7z-compressed',
  rar: 'application/x-rar-compressed',
  exe: 'application/x-msdownload',
  dll: 'application/x-msdownload',
  docx: `${office}.wordprocessingml.document`,
  xlsx: `${office}.spreadsheetml.sheet`,
  pptx: `${office}.presentationml.presentation`,
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  rtf: 'application/rtf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  oga: 'audio/ogg',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  webm: 'video/webm',
  mkv: 'video/matroska',
  avi: 'video/vnd.avi',
  ogv: 'video/ogg',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  ics: 'text/calendar',
  vcf: 'text/vcard',
};

/** One name for each type, without parameters. */
export function typeName(mime: string): string {
  const name = mime.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(otherNames, name) ? (otherNames[name] as string) : name;
}

/** Checks a name by RFC 6838. Another name could stand neither in a header nor in an answer. */
export const isTypeName = (mime: string): boolean => /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,127}$/.test(mime);

export const typeOfExtension = (extension: string): string | undefined =>
  Object.hasOwn(byExtension, extension) ? byExtension[extension] : undefined;

export const isText = (mime: string): boolean =>
  /^text\/|^application\/((x-)?javascript|(x-)?yaml|(x-)?json|(x-)?ndjson|jsonl|xml|sql|toml|rtf|postscript)$|\+(json|xml|yaml)$/.test(
    mime,
  );

/** Reports whether a type is an archive of a certain kind, which its first bytes need not show. */
export const isInContainer = (mime: string, container: string): boolean => {
  if (!/^(application|model)\//.test(mime)) return false;
  if (container === 'application/zip')
    return /\+zip$|opendocument|openxmlformats|java-archive|android|3mf|apple/.test(mime);
  return container === 'application/x-cfb' && /msword|ms-excel|ms-powerpoint|ms-outlook|x-msi/.test(mime);
};

/** Types that are shown or played. Their first bytes show them, if anything does. */
export const isShown = (mime: string): boolean => /^(image|audio|video|font)\//.test(mime);

export const isMedia = (mime: string): boolean => /^(audio|video)\/|^application\/(ogg|mxf)$/.test(mime);

export const subtypeOf = (mime: string): string => mime.slice(mime.indexOf('/') + 1);
