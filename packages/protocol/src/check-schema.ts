/** Checks a value against one of our own schemas, with sentences instead of keywords. */
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Errors } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { limits } from './limits.ts';
import { type Problem, pointer } from './problem.ts';

export function checkShape(schema: TSchema, value: unknown, at = ''): Problem[] {
  const [fits, errors] = collect(schema, value);
  if (fits) return [];
  const problems = dedupe(narrow(errors).flatMap((error) => describe(error, at)));
  return problems.length > 0 ? problems.slice(0, limits.problems) : [noForm(at)];
}

/** TypeBox stops at 8 errors unless told otherwise, and only globally; the call is synchronous, so nobody else sees it. */
function collect(schema: TSchema, value: unknown): [boolean, TLocalizedValidationError[]] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: limits.problems * 2 });
  try {
    return Errors(schema, value);
  } finally {
    Settings.Set({ maxErrors });
  }
}

const noForm = (at: string): Problem => ({
  pointer: at,
  code: 'invalid',
  message: 'This is not in any of the allowed forms.',
});

/** Of a union that failed keeps the branch that came nearest: a reader has no use for what the others wanted. */
function narrow(errors: TLocalizedValidationError[]): TLocalizedValidationError[] {
  let kept = errors;
  // Inner unions are reported before the outer ones that hold them.
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    if (!kept.includes(union)) continue;
    const inside = `${union.schemaPath}/anyOf/`;
    const outside = kept.filter((error) => error !== union && !error.schemaPath.startsWith(inside));
    const branches = Map.groupBy(
      kept.filter((error) => error.schemaPath.startsWith(inside)),
      (error) => error.schemaPath.slice(inside.length).split('/', 1)[0],
    );
    kept = [...outside, ...nearest(union, [...branches.values()])];
  }
  return kept;
}

function nearest(
  union: TLocalizedValidationError,
  branches: TLocalizedValidationError[][],
): TLocalizedValidationError[] {
  const [best] = branches.toSorted((a, b) => distance(a, union) - distance(b, union));
  if (!best || misses(best, union)) return [alternatives(union, union.instancePath, branches)];
  const tag = best.find((error) => error.keyword === 'const');
  if (
    tag &&
    branches.every((branch) => branch.some((e) => e.keyword === 'const' && e.instancePath === tag.instancePath))
  ) {
    return [alternatives(union, tag.instancePath, branches)];
  }
  return best;
}

/** Whether the branch fails at the value itself, being of another type or another constant. */
function misses(branch: TLocalizedValidationError[], union: TLocalizedValidationError): boolean {
  return branch.some(
    (error) => error.instancePath === union.instancePath && ['type', 'const', 'enum'].includes(error.keyword),
  );
}

/** A branch whose constant differs (its `type`, say) is another thing altogether; then the fewest errors win. */
function distance(branch: TLocalizedValidationError[], union: TLocalizedValidationError): number {
  if (misses(branch, union)) return 10_000;
  return branch.length + (branch.some((error) => error.keyword === 'const') ? 1_000 : 0);
}

/** One error that lists the constants, or else the types, any branch would have taken at that place. */
function alternatives(
  union: TLocalizedValidationError,
  instancePath: string,
  branches: TLocalizedValidationError[][],
): TLocalizedValidationError {
  const errors = branches.flat().filter((error) => error.instancePath === instancePath);
  const { schemaPath, message } = union;
  const allowedValues = errors.flatMap((error) =>
    error.keyword === 'const'
      ? [error.params.allowedValue]
      : error.keyword === 'enum'
        ? error.params.allowedValues
        : [],
  );
  if (allowedValues.length > 0)
    return { keyword: 'enum', schemaPath, instancePath, message, params: { allowedValues } };
  const type = errors.flatMap((error) => (error.keyword === 'type' ? error.params.type : []));
  return type.length > 0 ? { keyword: 'type', schemaPath, instancePath, message, params: { type } } : union;
}

function describe(error: TLocalizedValidationError, at: string): Problem[] {
  const where = at + error.instancePath;
  const one = (code: string, message: string): Problem[] => [{ pointer: where, code, message }];
  switch (error.keyword) {
    // Of each unknown property TypeBox says that its schema is false, and then once again which all those were.
    case 'additionalProperties':
      return [];
    case 'boolean':
      return one('unknown-property', `There is no property ${JSON.stringify(lastName(error.instancePath))} here.`);
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        pointer: pointer(where, name),
        code: 'required',
        message: `The property ${JSON.stringify(name)} is missing.`,
      }));
    case 'type':
      return one('type', `This must be ${[error.params.type].flat().map(article).join(' or ')}.`);
    case 'const':
      return one('value', `This must be ${JSON.stringify(error.params.allowedValue)}.`);
    case 'enum':
      return one(
        'value',
        `This must be one of ${error.params.allowedValues.map((v) => JSON.stringify(v)).join(', ')}.`,
      );
    case 'minLength':
      return one(
        'min-length',
        error.params.limit === 1 ? 'This may not be empty.' : `This needs at least ${error.params.limit} characters.`,
      );
    case 'maxLength':
      return one('max-length', `This may have at most ${error.params.limit} characters.`);
    case 'minItems':
      return one('min-items', `This needs at least ${count(error.params.limit, 'item')}.`);
    case 'maxItems':
      return one('max-items', `This may have at most ${count(error.params.limit, 'item')}.`);
    case 'minProperties':
      return one('min-properties', `This needs at least ${count(error.params.limit, 'property', 'properties')}.`);
    case 'maxProperties':
      return one('max-properties', `This may have at most ${count(error.params.limit, 'property', 'properties')}.`);
    case 'minimum':
      return one('min', `This must be ${error.params.limit} or more.`);
    case 'maximum':
      return one('max', `This must be ${error.params.limit} or less.`);
    case 'exclusiveMinimum':
      return one('min', `This must be more than ${error.params.limit}.`);
    case 'exclusiveMaximum':
      return one('max', `This must be less than ${error.params.limit}.`);
    case 'multipleOf':
      return one('multiple-of', `This must be a multiple of ${error.params.multipleOf}.`);
    case 'pattern':
      return one('pattern', `This must match ${error.params.pattern}.`);
    case 'format':
      return one('format', `This must be in the format ${error.params.format}.`);
    case 'uniqueItems':
      return one('duplicate', 'This may not hold the same item twice.');
    default:
      return [noForm(where)];
  }
}

function lastName(path: string): string {
  const token = path.slice(path.lastIndexOf('/') + 1);
  return token.replaceAll('~1', '/').replaceAll('~0', '~').slice(0, 100);
}

const article = (type: string) => (type === 'null' ? type : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

function dedupe(problems: Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ pointer: where, code }) => {
    const key = `${where} ${code}`;
    return !seen.has(key) && seen.add(key);
  });
}
