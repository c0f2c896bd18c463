/** What a person has entered so far, and what is wrong with it. */
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

/** Values of fields, and a payload where a schema asks for one. */
export interface Entered {
  values?: Values;
  payload?: unknown;
}

/** As asked: what is recommended goes before what is the default. */
export function initialValues(fields: readonly Field[], recommendations: Values = {}): Values {
  const entries = fields.filter(isInputField).flatMap((field) => {
    const value = Object.hasOwn(recommendations, field.name) ? recommendations[field.name] : defaultOf(field);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries) as Values;
}

/** A box that nobody has ticked is an answer. */
const defaultOf = (field: InputField): unknown =>
  'default' in field ? field.default : field.type === 'checkbox' ? false : undefined;

/** What would be sent: hidden fields have no value. */
export function answerOf(fields: readonly Field[], values: Values): Values {
  const entries = visibleFields(fields, values)
    .filter(isInputField)
    .flatMap(({ name }) => (Object.hasOwn(values, name) && values[name] !== undefined ? [[name, values[name]]] : []));
  return Object.fromEntries(entries) as Values;
}

/** Patterns take an engine that is fetched for those who need it; the server checks them in any case. */
export async function problemsOf(fields: readonly Field[], values: Values): Promise<Problem[]> {
  const needsPatterns = fields.some((field) => 'pattern' in field && field.pattern !== undefined);
  const matches: PatternMatcher = needsPatterns
    ? await import('@holdpoint/protocol/patterns').then(({ matchesPattern }) => matchesPattern, passAll)
    : () => true;
  const checked = valuesValidator(matches)(fields, answerOf(fields, values));
  return checked.ok ? [] : checked.problems;
}

const passAll = (): PatternMatcher => () => true;

/** Which field a problem is about; the server's pointers and ours are the same. */
export function nameOf({ pointer }: Problem): string | undefined {
  const part = /^\/values\/([^/]*)/.exec(pointer)?.[1];
  return part?.replaceAll('~1', '/').replaceAll('~0', '~');
}
