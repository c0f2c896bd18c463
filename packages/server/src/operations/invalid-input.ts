/** Refusals of what a caller sent, each problem with its place. */
import { boundProblems, checkJson, HoldpointError, limits, type Problem, sentenceOf } from '@holdpoint/protocol';

export const invalidInput = (problems: readonly Problem[]): HoldpointError =>
  new HoldpointError({ code: 'invalid-input', detail: sentenceOf(problems), problems: boundProblems(problems) });

/** Bounds of JSON that is kept as sent; absent and null parts pass. */
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
