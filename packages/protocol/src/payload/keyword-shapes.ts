/** The form of the argument of each keyword, and the subschemas in it. */
import { isObject } from '../json.ts';
import { limits } from '../limits.ts';
import { patternFault } from '../pattern.ts';

/** Keywords that hold schemas, with the form of their argument. */
export const applicators = {
  $defs: 'map',
  definitions: 'map',
  properties: 'map',
  patternProperties: 'map',
  dependentSchemas: 'map',
  prefixItems: 'list',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  additionalProperties: 'one',
  propertyNames: 'one',
  items: 'one',
  contains: 'one',
  not: 'one',
  if: 'one',
  // biome-ignore lint/suspicious/noThenProperty: the keyword's name
  then: 'one',
  else: 'one',
} as const;

/** The applicators that check the same value again. Only through them can a $ref lead in a circle. */
export const inPlace: ReadonlySet<string> = new Set('allOf anyOf oneOf not if then else dependentSchemas'.split(' '));

const pointByRef = 'Point to subschemas with $ref: "#/$defs/…".';

/** Unsupported keywords, with a hint. If they were ignored, values that the schema rejects would pass. */
export const refused: Readonly<Record<string, string>> = {
  $anchor: pointByRef,
  $dynamicAnchor: pointByRef,
  $dynamicRef: pointByRef,
  $recursiveAnchor: pointByRef,
  $recursiveRef: pointByRef,
  unevaluatedItems: 'Use items.',
  unevaluatedProperties: 'Use additionalProperties.',
  additionalItems: 'Use prefixItems and items.',
  dependencies: 'Use dependentRequired or dependentSchemas.',
};

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];

type Fault = string | undefined;
const must = (holds: boolean, fault: string): Fault => (holds ? undefined : fault);
const isType = (value: unknown) => typeof value === 'string' && types.includes(value);
const isStrings = (value: unknown) => Array.isArray(value) && value.every((item) => typeof item === 'string');
const number = (value: unknown) => must(typeof value === 'number', 'This must be a number.');
const string = (value: unknown) => must(typeof value === 'string', 'This must be a string.');
const count = (value: unknown) =>
  must(Number.isInteger(value) && (value as number) >= 0, 'This must be a whole number of 0 or more.');

/** Describes the fault in the argument of an assertion keyword. */
export const assertionFaults: Readonly<Record<string, (value: unknown) => Fault>> = {
  type: (value) =>
    must(
      isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
      `This must be one of ${types.join(', ')}, or a list of them.`,
    ),
  enum: (value) => must(Array.isArray(value) && value.length > 0, 'This must be a list of values.'),
  required: (value) => must(isStrings(value), 'This must be a list of property names.'),
  dependentRequired: (value) =>
    must(isObject(value) && Object.values(value).every(isStrings), 'This must map names to lists of property names.'),
  pattern: patternArgumentFault,
  format: string,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minContains: count,
  maxContains: count,
  minProperties: count,
  maxProperties: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: (value) => must(typeof value === 'number' && value > 0, 'This must be a number greater than 0.'),
  uniqueItems: (value) => must(typeof value === 'boolean', 'This must be true or false.'),
};

export function patternArgumentFault(value: unknown): Fault {
  if (typeof value !== 'string') return 'This must be a pattern.';
  if (value.length > limits.patternLength) return `A pattern may have at most ${limits.patternLength} characters.`;
  const fault = patternFault(value);
  return fault && `This pattern is not a valid RE2 pattern: ${fault}.`;
}
