/** Which field of a form an error of the server is about. */
import { HoldpointError } from '@holdpoint/protocol';
import { wordsFor } from './words-for.ts';

export interface FormFaults {
  /** By the name that the pointers begin with. */
  of: Readonly<Record<string, string>>;
  /** What belongs to no field of the form. */
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
