/** The fault of an invalid input, with the pointer of each problem. */
import { boundProblems, checkJson, HoldpointError, limits, type Problem, sentenceOf } from '@holdpoint/protocol';

export const invalidInput = (problems: readonly Problem[]): HoldpointError =>
  new HoldpointError({ code: 'invalid-input', detail: sentenceOf(problems), problems: boundProblems(problems) });

/** Checks the bounds of JSON that is stored as it was sent. Absent and null parts are valid. */
export function jsonProblems(parts: Record<string, unknown>, maxBytes: number = limits.jsonBytes): Problem[] {
  const bounds = { maxBytes, maxDepth: limits.jsonDepth };
  return Object.entries(parts).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : checkJson(value, bounds, `/${name}`),
  );
}

export function checkJsonBounds(parts: Record<string, unknown>, maxBytes?: number): void {
  const problems = jsonProblems(parts, maxBytes);
  if (problems.length > 0) throw invalidInput(problems);
}
