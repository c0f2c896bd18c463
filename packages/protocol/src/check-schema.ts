/** Checks a value against one of our own schemas, with sentences instead of keywords. */
import type { TSchema } from 'typebox';
import type { TLocalizedValidationError as SchemaError } from 'typebox/error';
import { Compile, Errors, type Validator } from 'typebox/schema';
import { Settings } from 'typebox/system';
import { limits } from './limits.ts';
import { boundProblems, lastName, type Problem, pointer, problem } from './problem.ts';

export function checkShape(schema: TSchema, value: unknown, at = ''): Problem[] {
  if (validatorOf(schema).Check(value)) return [];
  const errors = collect(schema, value);
  const problems = dedupe(narrowUnions(errors).flatMap((error) => describe(error, at)));
  if (problems.length === 0) return [problem(at, ...noForm)];
  return boundProblems(problems, errors.length === mostErrors || undefined);
}

const mostErrors = limits.problems * 2;
const validators = new WeakMap<TSchema, Validator>();

/** Compiles our own schemas, never those of callers: the fields of a form take 46 µs interpreted and 6 µs compiled. */
function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema);
  if (known) return known;
  const validator = Compile(schema) as Validator;
  validators.set(schema, validator);
  return validator;
}

/** Raises TypeBox's limit of 8 errors. The setting is global, but the call is synchronous, so no other call sees it. */
function collect(schema: TSchema, value: unknown): SchemaError[] {
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

type Described = [code: string, message: string];

const noForm: Described = ['invalid', 'This has none of the allowed forms.'];

function describe(error: SchemaError, at: string): Problem[] {
  const where = at + error.instancePath;
  switch (error.keyword) {
    // TypeBox reports each unknown property as a `false` schema, and then lists all of them again.
    case 'additionalProperties':
      return [];
    case 'boolean': {
      const name = JSON.stringify(lastName(error.instancePath).slice(0, 100));
      return [problem(where, 'unknown-property', `The property ${name} is not allowed here.`)];
    }
    case 'required':
      return error.params.requiredProperties.map((name) =>
        problem(pointer(where, name), 'required', `The property ${JSON.stringify(name)} is missing.`),
      );
    default: {
      const sentence = sentences[error.keyword] as ((params: object) => Described) | undefined;
      return [problem(where, ...(sentence?.(error.params) ?? noForm))];
    }
  }
}

type Keyword = SchemaError['keyword'];
type Params<K extends Keyword> = Extract<SchemaError, { keyword: K }>['params'];

const sentences: { [K in Keyword]?: (params: Params<K>) => Described } = {
  type: ({ type }) => ['type', `This must be ${[type].flat().map(article).join(' or ')}.`],
  const: ({ allowedValue }) => ['value', `This must be ${JSON.stringify(allowedValue)}.`],
  enum: ({ allowedValues }) => [
    'value',
    `This must be one of ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}.`,
  ],
  minLength: ({ limit }) => [
    'min-length',
    limit === 1 ? 'This must not be empty.' : `This needs at least ${limit} characters.`,
  ],
  maxLength: ({ limit }) => ['max-length', `This may have at most ${limit} characters.`],
  minItems: ({ limit }) => ['min-items', `This needs at least ${count(limit, 'item')}.`],
  maxItems: ({ limit }) => ['max-items', `This may have at most ${count(limit, 'item')}.`],
  minProperties: ({ limit }) => ['min-properties', `This needs at least ${count(limit, 'property', 'properties')}.`],
  maxProperties: ({ limit }) => ['max-properties', `This may have at most ${count(limit, 'property', 'properties')}.`],
  minimum: ({ limit }) => ['min', `This must be ${limit} or more.`],
  maximum: ({ limit }) => ['max', `This must be ${limit} or less.`],
  exclusiveMinimum: ({ limit }) => ['min', `This must be more than ${limit}.`],
  exclusiveMaximum: ({ limit }) => ['max', `This must be less than ${limit}.`],
  multipleOf: ({ multipleOf }) => ['multiple-of', `This must be a multiple of ${multipleOf}.`],
  pattern: ({ pattern }) => ['pattern', `This must match ${pattern}.`],
  format: ({ format }) => ['format', `This must be in the format ${format}.`],
  uniqueItems: () => ['duplicate', 'This must not contain the same item twice.'],
};

export const article = (type: string) => (type === 'null' ? type : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

function dedupe(problems: Problem[]): Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ pointer: where, code }) => {
    const key = `${where} ${code}`;
    return !seen.has(key) && seen.add(key);
  });
}

/** Keeps only the nearest branch of each failed union, because errors of the other branches do not help a reader. */
function narrowUnions(errors: SchemaError[]): SchemaError[] {
  let kept = errors;
  // Inner unions are reported before the outer ones that hold them.
  for (const union of errors.filter((error) => error.keyword === 'anyOf')) {
    if (!kept.includes(union)) continue;
    const inside = `${union.schemaPath}/anyOf/`;
    // The items of a list share their schema path, so the path in the value must match too.
    const isInside = ({ schemaPath, instancePath }: SchemaError) =>
      schemaPath.startsWith(inside) && `${instancePath}/`.startsWith(`${union.instancePath}/`);
    const outside = kept.filter((error) => error !== union && !isInside(error));
    const branches = Map.groupBy(
      kept.filter(isInside),
      (error) => error.schemaPath.slice(inside.length).split('/', 1)[0],
    );
    kept = [...outside, ...nearest(union, [...branches.values()])];
  }
  return kept;
}

function nearest(union: SchemaError, branches: SchemaError[][]): SchemaError[] {
  const [best] = branches.toSorted((a, b) => distance(a, union) - distance(b, union));
  if (!best || misses(best, union)) return [alternatives(union, union.instancePath, branches)];
  const tag = best.find(isTag);
  if (tag && branches.every((branch) => branch.some((e) => isTag(e) && e.instancePath === tag.instancePath))) {
    return [alternatives(union, tag.instancePath, branches)];
  }
  return best;
}

/** Reports whether the branch fails at the value itself, because it has another type or another constant. */
function misses(branch: SchemaError[], union: SchemaError): boolean {
  return branch.some(
    (error) => error.instancePath === union.instancePath && ['type', 'const', 'enum'].includes(error.keyword),
  );
}

/** Ranks a branch with another constant, such as another `type`, last. Among the others the fewest errors win. */
function distance(branch: SchemaError[], union: SchemaError): number {
  if (misses(branch, union)) return 10_000;
  return branch.length + (branch.some(isTag) ? 1_000 : 0);
}

/** A branch is for one value of a property, such as `type`, or for some. */
const isTag = ({ keyword }: SchemaError): boolean => keyword === 'const' || keyword === 'enum';

/** Makes one error that lists the constants, or else the types, that the branches accept at this path. */
function alternatives(union: SchemaError, instancePath: string, branches: SchemaError[][]): SchemaError {
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
