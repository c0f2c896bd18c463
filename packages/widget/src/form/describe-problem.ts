/** Describes a problem in the person's language, or in the server's words if the language has none. */
import { answerLimits, type Field, type InputField, isInputField, type Problem } from '@holdpoint/protocol/answers';
import type { ProblemWords, Strings } from '../strings/strings.ts';
import { nameOf } from './form-state.ts';

/** The properties of any field: a newer server may combine codes and types that are separate today. */
type AnyField = { type: string } & { [Key in KeyOf<InputField>]?: ValueOf<InputField, Key> };
type KeyOf<F> = F extends unknown ? Exclude<keyof F, 'type'> : never;
type ValueOf<F, Key extends PropertyKey> = F extends { [K in Key]?: infer Value } ? Value : never;

export function describeProblem(problem: Problem, fields: readonly Field[], { problems: words }: Strings): string {
  const { code, message } = problem;
  if (!words) return message;
  const name = nameOf(problem);
  if (name === undefined) return code === 'too-large' ? words.tooMuch : message;
  const field = fields.filter(isInputField).find((one) => one.name === name);
  const sentence = field && Object.hasOwn(sentences, code) ? sentences[code]?.(words, field) : undefined;
  return field && sentence !== undefined ? words.about(field.label ?? field.name, sentence) : message;
}

/** The rest of the sentence, by code. Undefined if the field lacks the property that the code is about. */
const sentences: Record<string, (words: ProblemWords, field: AnyField) => string | undefined> = {
  required: (words, field) =>
    field.type === 'rating' ? sentences.rating?.(words, field) : words[missing[field.type] ?? 'fillIn'],
  type: (words, { type, options }) =>
    options ? words.oneOf(listed(options)) : given(wrongKind[type] ?? missing[type], (key) => words[key]),
  integer: (words) => words.wholeNumber,
  min: (words, { min }) => either(min, words.atLeast, words.notBefore),
  max: (words, { max }) => either(max, words.atMost, words.notAfter),
  step: (words, { step, min }) => given(step, (size) => words.steps(size, Number(min) || undefined)),
  'min-length': (words, { minLength }) => given(minLength, words.minLength),
  'max-length': (words, { maxLength = answerLimits.textLength }) =>
    words.maxLength(Math.min(maxLength, answerLimits.textLength)),
  email: (words) => words.email('name@example.com'),
  tel: (words) => words.tel('+1 555 010 0199'),
  url: (words) => words.url,
  pattern: (words, { pattern }) => given(pattern, words.pattern),
  date: (words) => words.date('2030-01-31'),
  time: (words) => words.time('14:30'),
  datetime: (words) => words.datetime('2030-01-31T14:30:00Z'),
  rating: (words, { maxStars = 5 }) => words.rateUpTo(maxStars),
  option: (words, { options }) => given(options, (all) => words.oneOf(listed(all))),
  'min-selections': (words, { minSelections }) => given(minSelections, words.minSelections),
  'max-selections': (words, { maxSelections, options = [] }) => words.maxSelections(maxSelections ?? options.length),
  duplicate: (words) => words.onlyOnce,
  'max-files': (words) => words.maxFiles(answerLimits.filesPerField),
  accept: (words, { accept }) => words.accept(accept?.length ? accept.join(', ') : 'image/*'),
  'max-size': (words, { maxSizeMb = answerLimits.fileSizeMb }) => words.maxSize(maxSizeMb),
};

type Plain = { [Key in keyof ProblemWords]: ProblemWords[Key] extends string ? Key : never }[keyof ProblemWords];

const missing: Partial<Record<string, Plain>> = {
  ...{ select: 'chooseOne', radio: 'chooseOne', multi_select: 'chooseOne' },
  ...{ checkbox: 'yesOrNo', confirm: 'yesOrNo' },
  ...{ file_upload: 'attach', image_upload: 'attach', signature: 'sign' },
};

const wrongKind: Partial<Record<string, Plain>> = {
  ...{ text: 'text', textarea: 'text', email: 'text', tel: 'text', url: 'text', password: 'text' },
  ...{ number: 'number', custom: 'text' },
};

const given = <T>(value: T | undefined, say: (value: T) => string): string | undefined =>
  value === undefined ? undefined : say(value);

/** A bound is a number, or a time as text. */
const either = (
  bound: number | string | undefined,
  number: (bound: number) => string,
  moment: (bound: string) => string,
): string | undefined => (typeof bound === 'number' ? number(bound) : given(bound, moment));

const listedOptions = 5;

const listed = (options: readonly { label: string }[]): string => {
  const labels = options.slice(0, listedOptions).map(({ label }) => label);
  return labels.join(', ') + (options.length > listedOptions ? ', …' : '');
};
