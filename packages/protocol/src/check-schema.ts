/** Checks a value against one of our own schemas, with sentences instead of keywords. */
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError } from 'typebox/error';
import { Compile, Errors, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { limits } from './limits.ts';
import { narrowUnions } from './narrow-unions.ts';
import { boundProblems, type Problem, pointer } from './problem.ts';

export function checkShape(schema: TSchema, value: unknown, at = ''): Problem[] {
  if (validatorOf(schema).Check(value)) return [];
  const errors = collect(schema, value);
  const problems = dedupe(narrowUnions(errors).flatMap((error) => describe(error, at)));
  if (problems.length === 0) return [noForm(at)];
  return boundProblems(problems, errors.length === mostErrors || undefined);
}

const mostErrors = limits.problems * 2;
const validators = new WeakMap<TSchema, Validator>();

/** Ours alone are compiled, never a stranger's: the fields of a form take 46 µs interpreted and 6 µs compiled. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const validator = Compile(schema) as Validator;
  validators.set(schema, validator);
  return validator;
}

/** TypeBox stops at 8 errors unless told otherwise, and only globally; the call is synchronous, so nobody else sees it. */
function collect(schema: TSchema, value: unknown): TLocalizedValidationError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: mostErrors });
  try {
    return Errors(schema, cutDown(value, schema))[1];
  } finally {
    Settings.Set({ maxErrors });
  }
}

/** Longer than any list and wider than any object of our schemas. */
const mostLookedAt = 1_000;
/** Deeper than any of our schemas. */
const deepestLookedAt = 16;

/**
 * Cuts off long lists and wide objects. TypeBox continues through all of them after its last error: 300,000 items took
 * it 0.3 s. The cut part could only repeat that there is too much, or problems that the part before it also has.
 * Properties that the schema knows stay, so that they are not reported as missing.
 */
function cutDown(value: unknown, schema: TSchema, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth === deepestLookedAt) return value;
  if (Array.isArray(value)) return value.slice(0, mostLookedAt).map((item) => cutDown(item, schema, depth + 1));
  const { properties = {} } = schema as { properties?: object };
  const kept = Object.entries(value).filter(([key], index) => index < mostLookedAt || Object.hasOwn(properties, key));
  return Object.fromEntries(kept.map(([key, inner]) => [key, cutDown(inner, schema, depth + 1)]));
}

const noForm = (at: string): Problem => ({
  pointer: at,
  code: 'invalid',
  message: 'This is not in any of the allowed forms.',
});

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
