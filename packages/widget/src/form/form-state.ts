/** The values that a person has entered so far, and their problems. */
import {
  type Field,
  type InputField,
  isInputField,
  type PatternMatcher,
  type Problem,
  valuesValidator,
  visibleFields,
} from '@holdpoint/protocol/answers';

export type Values = Record<string, unknown>;

export const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right);

/** The values of fields, and the payload if a schema asks for one. */
export interface Entered {
  values?: Values;
  payload?: unknown;
}

/** A recommendation wins over the default of a field. */
export function initialValues(fields: readonly Field[], recommendations: Values = {}): Values {
  const entries = fields.filter(isInputField).flatMap((field) => {
    const value = Object.hasOwn(recommendations, field.name) ? recommendations[field.name] : defaultOf(field);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries) as Values;
}

/** An unticked checkbox counts as an answer: false. */
const defaultOf = (field: InputField): unknown =>
  'default' in field ? field.default : field.type === 'checkbox' ? false : undefined;

/** The values to send. Hidden fields have none. */
export function answerOf(fields: readonly Field[], values: Values): Values {
  const entries = visibleFields(fields, values)
    .filter(isInputField)
    .flatMap(({ name }) => (Object.hasOwn(values, name) && values[name] !== undefined ? [[name, values[name]]] : []));
  return Object.fromEntries(entries) as Values;
}

/** The engine for patterns is fetched only if a field has one. The server checks them in any case. */
export async function problemsOf(fields: readonly Field[], values: Values): Promise<Problem[]> {
  const needsPatterns = fields.some((field) => 'pattern' in field && field.pattern !== undefined);
  const matches: PatternMatcher = needsPatterns
    ? await import('@holdpoint/protocol/patterns').then(({ matchesPattern }) => matchesPattern, passAll)
    : () => true;
  const checked = valuesValidator(matches)(fields, answerOf(fields, values));
  return checked.ok ? [] : checked.problems;
}

const passAll = (): PatternMatcher => () => true;

/** The name of the field that a problem is about. The server writes the same pointers. */
export function nameOf({ pointer }: Problem): string | undefined {
  const part = /^\/values\/([^/]*)/.exec(pointer)?.[1];
  return part?.replaceAll('~1', '/').replaceAll('~0', '~');
}
