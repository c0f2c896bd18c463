/** Builders of questions: each returns the body of a create call whose answer type the compiler knows. */
import { defined } from './defined.ts';
import {
  type FieldSpec,
  multiSelect,
  type OptionInput,
  type SpecRequired,
  type SpecValue,
  select,
  text,
} from './field-builders.ts';
import type { Field } from './fields/field.ts';
import type { Option } from './fields/field-types.ts';
import { isInputField, isSecretField } from './fields/input-field.ts';
import { ownValue } from './fields/visible-fields.ts';
import type { CreateInteraction } from './interaction.ts';
import { allowOrDeny } from './pick.ts';
import type { Kind } from './question.ts';

declare const answer: unique symbol;

/** The body of a create call; `Answer` exists for the compiler alone. */
export type Ask<Answer> = Omit<CreateInteraction, 'kind' | 'fields'> & {
  kind: Kind;
  fields: Field[];
  readonly [answer]?: Answer;
};

/** The type of the values of an accepted answer to the question. */
export type AnswerOf<Question> = Question extends { readonly [answer]?: infer Answer } ? Answer : never;

export type AskOptions = Partial<
  Omit<
    CreateInteraction,
    'kind' | 'fields' | 'options' | 'minSelections' | 'maxSelections' | 'payloadSchema' | 'arguments'
  >
>;

type Specs = Record<string, FieldSpec<unknown, boolean>>;
type InputKey<S extends Specs> = keyof { [K in keyof S as [SpecValue<S[K]>] extends [never] ? never : K]: K };
type RequiredKey<S extends Specs> = keyof { [K in keyof S as SpecRequired<S[K]> extends true ? K : never]: K };
type Simplify<T> = { [K in keyof T]: T[K] };
export type AnswerOfFields<S extends Specs> = Simplify<
  { [K in InputKey<S> & RequiredKey<S>]: SpecValue<S[K]> } & {
    [K in Exclude<InputKey<S>, RequiredKey<S>>]?: SpecValue<S[K]>;
  }
>;

export function form<S extends Specs>(fields: S, options: AskOptions = {}): Ask<AnswerOfFields<S>> {
  return { title: 'Please fill this in', ...options, kind: 'form', fields: nameFields(fields) };
}

export function input<V = string, R extends boolean = true, N extends string = 'text'>(
  field?: FieldSpec<V, R>,
  { name, ...options }: AskOptions & { name?: N } = {},
): Ask<R extends true ? { [K in N]: V } : { [K in N]?: V }> {
  const title = options.title ?? 'Please answer';
  const spec = { label: title, ...(field ?? text()) } as FieldSpec<unknown, boolean>;
  return { ...options, title, kind: 'input', fields: nameFields({ [name ?? 'text']: spec }) };
}

type Many = { multiple: true; minSelections?: number; maxSelections?: number };

export function choice<V extends string>(
  options: readonly OptionInput<V>[],
  rest: AskOptions & Many & { minSelections: 0 },
): Ask<{ choice?: V[] }>;
export function choice<V extends string>(
  options: readonly OptionInput<V>[],
  rest: AskOptions & Many,
): Ask<{ choice: V[] }>;
export function choice<V extends string>(options: readonly OptionInput<V>[], rest?: AskOptions): Ask<{ choice: V }>;
export function choice(options: readonly OptionInput<string>[], rest: AskOptions & Partial<Many> = {}): Ask<unknown> {
  const { multiple, minSelections, maxSelections, ...ask } = rest;
  const title = ask.title ?? 'Please choose';
  const pick = { label: title, display: 'buttons' } as const;
  const field = multiple
    ? multiSelect(options, {
        ...pick,
        required: minSelections !== 0,
        ...defined({ minSelections, maxSelections }),
      })
    : select(options, pick);
  return { ...ask, title, kind: 'choice', fields: nameFields({ choice: field }) };
}

interface CardAction<V extends string> {
  label: string;
  /** The value of the answer. An action with a `url` instead is only a link. */
  value?: V;
  url?: string;
}

interface Card<V extends string> {
  title: string;
  text?: string;
  image?: string;
  actions: readonly CardAction<V>[];
}

/** A card whose actions are the options: a choice whose field is named `action`. */
export function cardChoice<V extends string>(card: Card<V>, options: AskOptions = {}): Ask<{ action: V }> {
  const offered = card.actions.flatMap(({ label, value }) => (value === undefined ? [] : [{ value, label }]));
  const title = options.title ?? card.title;
  const action = select(offered, { label: title, display: 'buttons' });
  const content = [{ type: 'card', payload: { ...card } }, ...(options.content ?? [])];
  return { ...options, title, kind: 'choice', content, fields: nameFields({ action }) };
}

export type ApprovalOptions<V extends string, S extends Specs> = AskOptions & {
  /** Each option needs a kind: allow_once, allow_always, reject_once or reject_always. */
  options?: readonly (Omit<Option, 'value' | 'kind'> & {
    value: V;
    kind: Exclude<Option['kind'], 'answer' | undefined>;
  })[];
  /** The action, shown to the person. Fields of the same name let them edit it. */
  arguments?: NonNullable<CreateInteraction['arguments']>;
  fields?: S;
};

/** The question of `approve`. The proposed arguments have their own type, which the result has too. */
export type ApprovalAsk<A extends object> = Omit<ApprovalOptions<string, Record<never, never>>, 'arguments'> & {
  arguments?: A;
};

export function approval<V extends string = 'allow' | 'deny', S extends Specs = Record<never, never>>({
  options,
  fields,
  ...ask
}: ApprovalOptions<V, S> = {}): Ask<Simplify<{ decision: V } & Partial<AnswerOfFields<S>>>> {
  const title = ask.title ?? 'Please decide';
  const decision = select<string>(options ?? allowOrDeny, { label: title, display: 'buttons' });
  const edits = nameFields(fields ?? {}).map((field) => prefill(field, ask.arguments));
  return { ...ask, title, kind: 'approval', fields: [...nameFields({ decision }), ...edits] };
}

function prefill(field: Field, args: Record<string, unknown> = {}): Field {
  if (!isInputField(field) || isSecretField(field) || 'default' in field) return field;
  const value = ownValue(args, field.name);
  return value === undefined ? field : ({ ...field, default: value } as Field);
}

function nameFields(specs: Specs): Field[] {
  return Object.entries(specs).map(([name, spec]) => {
    if (!isInputField(spec as Field)) return spec as Field;
    return { name, label: humanise(name), ...spec } as Field;
  });
}

/** releaseNotes, release_notes and release-notes all read "Release notes". */
export function humanise(name: string): string {
  const words = name.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})|[_\-\s]+/gu, ' ').trim();
  const lower = words.replace(/\S+/g, (word) => (/^\p{Lu}{2,}$/u.test(word) ? word : word.toLowerCase()));
  return lower.replace(/^./, (first) => first.toUpperCase()) || name;
}
