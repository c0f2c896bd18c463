/** Caches formats, because making one takes longer than drawing a line. */
const formats = new Map<string, Intl.DateTimeFormat>();

export function momentOf(at: string, locale: string): string {
  const format = formats.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  formats.set(locale, format);
  return format.format(new Date(at));
}
