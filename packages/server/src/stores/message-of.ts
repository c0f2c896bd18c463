/** What an error says. One of several addresses that all refused has its reasons inside, and no message of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error && error.message ? error.message : String(error);
}
