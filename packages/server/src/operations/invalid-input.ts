/** Refusals of what a caller sent, each problem with its place. */
import { checkJson, HoldpointError, limits, type Problem } from '@holdpoint/protocol';

export function invalidInput(problems: readonly Problem[]): HoldpointError {
  const detail = problems.map(({ pointer, message }) => `${pointer}: ${message}`).join(' ');
  return new HoldpointError({ code: 'invalid-input', detail, problems });
}

/** Bounds JSON that is kept as sent; absent and null parts pass. */
export function checkJsonBounds(parts: Record<string, unknown>, maxBytes: number = limits.jsonBytes): void {
  const bounds = { maxBytes, maxDepth: limits.jsonDepth };
  const problems = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : checkJson(value, bounds, `/${name}`),
  );
  if (problems.length > 0) throw invalidInput(problems);
}
