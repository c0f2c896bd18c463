/** Turns an error into text that tells the user what to do. */
import { HoldpointError } from '@holdpoint/protocol';

export function wordsFor(error: unknown): string {
  if (error instanceof HoldpointError) return error.fault.detail;
  // fetch throws a TypeError, worded by the browser, when there is no connection.
  if (error instanceof TypeError) return 'Could not reach the server. Check that it is running.';
  return error instanceof Error ? error.message : String(error);
}

export interface FormFaults {
  /** By field name, which is the start of the pointer. */
  of: Readonly<Record<string, string>>;
  /** Messages that belong to no field of the form. */
  rest: string;
}

export const noFaults: FormFaults = { of: {}, rest: '' };

export function faultsOf(error: unknown, names: readonly string[]): FormFaults {
  const problems = error instanceof HoldpointError ? (error.fault.problems ?? []) : [];
  const of: Record<string, string> = {};
  const rest: string[] = [];
  for (const { pointer, message } of problems) {
    const name = names.find((each) => pointer === `/${each}` || pointer.startsWith(`/${each}/`));
    if (name) of[name] ??= message;
    else rest.push(message);
  }
  return { of, rest: problems.length > 0 ? rest.join(' ') : wordsFor(error) };
}
