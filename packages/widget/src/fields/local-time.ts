/** Converts between an instant with an offset, as it is answered, and the local time of a browser's input. */
const two = (number: number): string => String(number).padStart(2, '0');

/** From an instant with an offset to the local time of a browser's input. Undefined if the text is no instant. */
export function toLocal(instant: string): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Adds the offset that applies here at that time. */
export function fromLocal(local: string): string {
  const [day = '', clock = ''] = local.split('T');
  const offset = -new Date(local).getTimezoneOffset();
  const ahead = Math.abs(offset);
  const sign = offset < 0 ? '-' : '+';
  return `${day}T${clock.length === 5 ? `${clock}:00` : clock}${sign}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}
