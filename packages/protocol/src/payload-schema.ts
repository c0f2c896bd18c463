/**
 * A JSON Schema in place of fields. Anybody may send one, so we interpret it ourselves instead of by TypeBox: work is
 * counted, patterns run in RE2, and names of Object.prototype are no properties.
 */
import { checkJson } from './json.ts';
import { limits } from './limits.ts';
import { analyseSchema } from './payload/analyse-schema.ts';
import { checkApplicators } from './payload/applicators.ts';
import { checkAssertions } from './payload/assertions.ts';
import { createRun, OutOfSteps } from './payload/run.ts';
import type { Schema } from './payload/schema-object.ts';
import { boundProblems, type Problem, problem } from './problem.ts';

/** Returns every problem of the schema itself. */
export function checkPayloadSchema(schema: unknown, at = '/payloadSchema'): Problem[] {
  return analyseSchema(schema, at).problems;
}

/** Returns every problem of a payload. Accepts any JSON, also if the schema is not valid. */
export function validatePayload(schema: unknown, payload: unknown, at = '/payload'): Problem[] {
  const { problems: faults, refs } = analyseSchema(schema, '');
  if (faults.length > 0) return [problem(at, 'schema', 'The schema for this answer is not valid.')];
  const oversize = checkJson(payload, { maxBytes: limits.valuesBytes, maxDepth: limits.jsonDepth }, at);
  if (oversize.length > 0) return oversize;
  const run = createRun(refs, (node, value, where, self) => [
    ...checkAssertions(node, value, where, self),
    ...checkApplicators(node, value, where, self),
  ]);
  try {
    return boundProblems(run.check(schema as Schema, payload, at));
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error;
    return [problem(at, 'too-complex', 'Checking this answer against its schema takes too much work.')];
  }
}
