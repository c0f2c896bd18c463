/** Between an instant with its offset, as it is answered, and the clock on the wall, as a browser asks for it. */
const two = (number: number): string => String(number).padStart(2, '0');

/** Undefined where the text is no instant. */
export function toLocal(instant: string): string | undefined {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** With the offset that holds at that time in this place. */
export function fromLocal(local: string): string {
  const [day = '', clock = ''] = local.split('T');
  const offset = -new Date(local).getTimezoneOffset();
  const ahead = Math.abs(offset);
  const sign = offset < 0 ? '-' : '+';
  return `${day}T${clock.length === 5 ? `${clock}:00` : clock}${sign}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}
