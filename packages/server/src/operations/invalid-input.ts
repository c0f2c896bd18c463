/** Refusals of what a caller sent, each problem with its place. */
import { checkJson, HoldpointError, limits, type Problem } from '@holdpoint/protocol';

/** So many are told in the sentence; all of them are in the list. */
const told = 5;

export function invalidInput(problems: readonly Problem[]): HoldpointError {
  const sentences = problems
    .slice(0, told)
    .map(({ pointer, message }) => `${pointer.slice(0, 200) || '/'}: ${message}`);
  const more = problems.length > told ? [`And ${problems.length - told} more.`] : [];
  return new HoldpointError({ code: 'invalid-input', detail: [...sentences, ...more].join(' '), problems });
}

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
