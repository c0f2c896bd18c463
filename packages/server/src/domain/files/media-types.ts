/** Media types: their extensions, their other names, and which of them are text. */

const office = 'application/vnd.openxmlformats-officedocument';
/** Each type with its extensions, and with its other names, which have a slash. */
const types: Record<string, readonly string[]> = {
  'image/png': ['png', 'image/x-png', 'image/apng'],
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'image/jpg', 'image/pjpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/bmp': ['bmp', 'image/x-ms-bmp'],
  'image/tiff': ['tif', 'tiff'],
  'image/x-icon': ['ico', 'image/vnd.microsoft.icon'],
  'image/heic': ['heic', 'image/heif'],
  'image/svg+xml': ['svg', 'image/svg'],
  'application/pdf': ['pdf', 'application/x-pdf'],
  'application/zip': ['zip', 'application/x-zip-compressed', 'application/x-zip'],
  'application/gzip': ['gz', 'application/x-gzip'],
  'application/x-7z-compressed': ['7z'],
  'application/x-rar-compressed': ['rar', 'application/vnd.rar'],
  'application/x-msdownload': [
    'exe',
    'dll',
    'application/x-msdos-program',
    'application/x-dosexec',
    'application/vnd.microsoft.portable-executable',
  ],
  [`${office}.wordprocessingml.document`]: ['docx'],
  [`${office}.spreadsheetml.sheet`]: ['xlsx'],
  [`${office}.presentationml.presentation`]: ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'application/epub+zip': ['epub'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt'],
  'application/rtf': ['rtf', 'text/rtf'],
  'audio/mpeg': ['mp3', 'audio/mp3'],
  'audio/wav': ['wav', 'audio/x-wav', 'audio/wave'],
  'audio/flac': ['flac', 'audio/x-flac'],
  'audio/mp4': ['m4a', 'audio/x-m4a'],
  'audio/ogg': ['oga'],
  'video/mp4': ['mp4', 'm4v', 'video/x-m4v'],
  'video/quicktime': ['mov'],
  'video/webm': ['webm'],
  'video/matroska': ['mkv', 'video/x-matroska'],
  'video/vnd.avi': ['avi', 'video/x-msvideo'],
  'video/ogg': ['ogv'],
  'text/plain': ['txt', 'log'],
  'text/markdown': ['md'],
  'text/csv': ['csv'],
  'text/tab-separated-values': ['tsv'],
  'text/html': ['html', 'htm', 'xhtml', 'application/xhtml+xml'],
  'text/css': ['css'],
  'text/javascript': ['js', 'mjs'],
  'application/json': ['json', 'text/json'],
  'application/xml': ['xml', 'text/xml'],
  'application/yaml': ['yaml', 'yml'],
  'text/calendar': ['ics'],
  'text/vcard': ['vcf'],
};

const byAlias = new Map(Object.entries(types).flatMap(([type, aliases]) => aliases.map((alias) => [alias, type])));

/** One name for each type, without parameters. */
export function typeName(mime: string): string {
  const name = mime.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (name.includes('/') ? byAlias.get(name) : undefined) ?? name;
}

/** Checks a name by RFC 6838. Other text is valid neither in a header nor in an answer. */
export const isTypeName = (mime: string): boolean => /^[\w!#$&^.+-]{1,64}\/[\w!#$&^.+-]{1,127}$/.test(mime);

export const typeOfExtension = (extension: string): string | undefined => byAlias.get(extension);

const textTypes =
  /^text\/|^application\/((x-)?javascript|(x-)?yaml|(x-)?json|(x-)?ndjson|jsonl|xml|sql|toml|rtf|postscript)$|\+(json|xml|yaml)$/;

export const isText = (mime: string): boolean => textTypes.test(mime);

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
