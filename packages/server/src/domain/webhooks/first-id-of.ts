/** The UUIDv7 that is before all others of a moment: ids begin with the milliseconds of their making. */
export function firstIdOf(ms: number): string {
  const time = Math.min(Math.max(Math.floor(ms), 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}
