/** The keywords that check the value, or parts of it, by subschemas. */
import { isObject } from '../json.ts';
import { type Problem, pointer } from '../problem.ts';
import { oneOf } from './assertions.ts';
import { complaint, matches, type Run } from './run.ts';
import type { Schema, SchemaObject } from './schema-object.ts';

export function checkApplicators(schema: SchemaObject, value: unknown, at: string, run: Run): Problem[] {
  const problems = checkInPlace(schema, value, at, run);
  if (Array.isArray(value)) problems.push(...checkItems(schema, value, at, run));
  if (isObject(value)) problems.push(...checkProperties(schema, value, at, run));
  return problems;
}

function checkInPlace(schema: SchemaObject, value: unknown, at: string, run: Run): Problem[] {
  const problems: Problem[] = [];
  const passes = (subschema: Schema) => run.check(subschema, value, at).length === 0;
  const target = schema.$ref === undefined ? undefined : run.refs.get(schema.$ref);
  if (target !== undefined) problems.push(...run.check(target, value, at));
  for (const subschema of schema.allOf ?? []) problems.push(...run.check(subschema, value, at));
  if (schema.anyOf) problems.push(...checkBranches('anyOf', schema, schema.anyOf, value, at, run));
  if (schema.oneOf) problems.push(...checkBranches('oneOf', schema, schema.oneOf, value, at, run));
  if (schema.not !== undefined && passes(schema.not)) {
    problems.push(complaint(run, schema, at, 'not', 'has a value that is not allowed.'));
  }
  if (schema.if !== undefined) {
    const branch = passes(schema.if) ? schema.then : schema.else;
    if (branch !== undefined) problems.push(...run.check(branch, value, at));
  }
  return problems;
}

/** If no branch fits, reports problems of the nearest one, because those of the others do not help a reader. */
function checkBranches(
  code: 'anyOf' | 'oneOf',
  schema: SchemaObject,
  branches: Schema[],
  value: unknown,
  at: string,
  run: Run,
): Problem[] {
  const results = branches.map((branch) => run.check(branch, value, at));
  const passing = results.filter((problems) => problems.length === 0).length;
  if (passing === 1 || (passing > 1 && code === 'anyOf')) return [];
  if (passing > 1) return [complaint(run, schema, at, code, 'fits more than one of the allowed forms.')];
  const constants = branches.flatMap((branch) =>
    typeof branch === 'object' && Object.hasOwn(branch, 'const') ? [branch.title ?? branch.const] : [],
  );
  if (constants.length === branches.length) return [complaint(run, schema, at, code, `must be ${oneOf(constants)}.`)];
  const [nearest] = results
    .filter(
      (problems) => !problems.some((p) => p.pointer === at && ['type', 'const', 'enum', 'false'].includes(p.code)),
    )
    .sort((a, b) => a.length - b.length);
  return nearest ?? [complaint(run, schema, at, code, 'fits none of the allowed forms.')];
}

function checkItems(schema: SchemaObject, value: unknown[], at: string, run: Run): Problem[] {
  const { prefixItems = [], items, contains, minContains = 1, maxContains } = schema;
  const problems: Problem[] = [];
  for (const [index, item] of value.entries()) {
    const itemSchema = index < prefixItems.length ? prefixItems[index] : items;
    if (itemSchema !== undefined) problems.push(...run.check(itemSchema, item, pointer(at, index)));
  }
  if (contains === undefined) return problems;
  const count = value.filter((item, index) => run.check(contains, item, pointer(at, index)).length === 0).length;
  if (count < minContains)
    problems.push(complaint(run, schema, at, 'contains', `needs at least ${minContains} items of the asked kind.`));
  if (maxContains !== undefined && count > maxContains) {
    problems.push(complaint(run, schema, at, 'contains', `may have at most ${maxContains} items of the asked kind.`));
  }
  return problems;
}

function checkProperties(schema: SchemaObject, value: Record<string, unknown>, at: string, run: Run): Problem[] {
  const { properties = {}, patternProperties, additionalProperties, propertyNames, dependentSchemas } = schema;
  const problems: Problem[] = [];
  const patterns = Object.entries(patternProperties ?? {});
  for (const [name, item] of Object.entries(value)) {
    const where = pointer(at, name);
    run.spend(1 + patterns.length);
    if (propertyNames !== undefined) problems.push(...run.check(propertyNames, name, where));
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const matching = patterns.filter(([pattern]) => matches(run, pattern, name)).map(([, subschema]) => subschema);
    for (const subschema of own === undefined ? matching : [own, ...matching])
      problems.push(...run.check(subschema, item, where));
    if (additionalProperties === undefined || own !== undefined || matching.length > 0) continue;
    if (additionalProperties === false)
      problems.push(complaint(run, {}, where, 'additionalProperties', 'is not a property asked for.'));
    else problems.push(...run.check(additionalProperties, item, where));
  }
  for (const [name, subschema] of Object.entries(dependentSchemas ?? {})) {
    run.spend(1);
    if (Object.hasOwn(value, name)) problems.push(...run.check(subschema, value, at));
  }
  return problems;
}
