/** One check of a payload: the work that is left, the targets of references, and the check of a subschema. */
import { limits } from '../limits.ts';
import { matchesPattern, patternSize } from '../pattern.ts';
import { lastName, type Problem, problem } from '../problem.ts';
import type { Schema, SchemaObject } from './schema-object.ts';

export interface Run {
  readonly refs: ReadonlyMap<string, Schema>;
  /** Counts work and throws `OutOfSteps` when there was too much: 22 doubling $refs kept TypeBox busy for 83 s. */
  spend(steps: number): void;
  check(schema: Schema, value: unknown, at: string): Problem[];
}

export class OutOfSteps extends Error {}

export function createRun(
  refs: ReadonlyMap<string, Schema>,
  checkNode: (schema: SchemaObject, value: unknown, at: string, run: Run) => Problem[],
): Run {
  let left: number = limits.payloadSteps;
  let nesting = 0;
  const run: Run = {
    refs,
    spend(steps) {
      left -= steps;
      if (left < 0) throw new OutOfSteps();
    },
    check(schema, value, at) {
      run.spend(2);
      if (schema === true) return [];
      if (schema === false) return [complaint(run, {}, at, 'false', 'is not allowed here.')];
      if (++nesting > limits.payloadNesting) throw new OutOfSteps();
      const problems = checkNode(schema, value, at, run);
      nesting--;
      return problems;
    },
  };
  return run;
}

/** One step is about 50 ns, one character at one instruction about 11 ns. */
export function matches(run: Run, pattern: string, text: string): boolean {
  run.spend(1 + Math.ceil((text.length * patternSize(pattern)) / 5));
  return matchesPattern(pattern, text);
}

/** The sentence begins with the schema's title, or else the last name in the pointer. */
export function complaint(run: Run, schema: SchemaObject, at: string, code: string, sentence: string): Problem {
  run.spend(100);
  return problem(at, code, `${subject(schema, at)} ${sentence}`);
}

function subject({ title }: SchemaObject, at: string): string {
  if (typeof title === 'string' && title !== '') return title.slice(0, limits.labelLength);
  const name = lastName(at);
  return name === '' ? 'This' : name.slice(0, limits.labelLength);
}
