/** Builders of fields. Their types know the value of the field and whether it is required. */
import type { Field, FieldOf, FieldType } from './fields/field.ts';
import type { Option } from './fields/field-types.ts';
import type { FileRef } from './fields/file-ref.ts';

declare const answered: unique symbol;

/** A field without its name, which is its key. `Value` and `Required` exist only for the compiler. */
export type FieldSpec<Value, Required extends boolean = true> = DistributiveOmit<Field, 'name'> & {
  readonly [answered]?: [Value, Required];
};
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export type SpecValue<S> = S extends { readonly [answered]?: [infer Value, boolean] } ? Value : never;
export type SpecRequired<S> = S extends { readonly [answered]?: [unknown, infer Required] } ? Required : never;

type OptionsOf<T extends FieldType> = Omit<FieldOf<T>, 'type' | 'name' | 'options' | 'text'>;
/** Rejects unknown keys, such as a typo in visibleIf. Inference through a type parameter does not check them. */
type Exactly<Given, Allowed> = Given & { [K in Exclude<keyof Given, keyof Allowed>]: never };

/** A field with `visibleIf` may be absent from the answer, even if it is required. */
type IsRequired<Options, Default extends boolean> = 'visibleIf' extends keyof Options
  ? false
  : 'required' extends keyof Options
    ? [Options['required']] extends [true]
      ? true
      : false
    : Default;

interface Builder<T extends FieldType, Value, Default extends boolean = true> {
  (): FieldSpec<Value, Default>;
  <O extends OptionsOf<T>>(options: Exactly<O, OptionsOf<T>>): FieldSpec<Value, IsRequired<O, Default>>;
}

function spec<S>(type: FieldType, options: object | undefined, required: boolean, extra?: object): S {
  return { type, required, ...extra, ...options } as S;
}

function builder<T extends FieldType, Value, Default extends boolean = true>(type: T, required = true) {
  return ((options?: object) => spec(type, options, required)) as Builder<T, Value, Default>;
}

export const text = /* @__PURE__ */ builder<'text', string>('text');
export const textarea = /* @__PURE__ */ builder<'textarea', string>('textarea');
export const email = /* @__PURE__ */ builder<'email', string>('email');
export const tel = /* @__PURE__ */ builder<'tel', string>('tel');
export const url = /* @__PURE__ */ builder<'url', string>('url');
export const password = /* @__PURE__ */ builder<'password', string>('password');
export const number = /* @__PURE__ */ builder<'number', number>('number');
export const date = /* @__PURE__ */ builder<'date', string>('date');
export const time = /* @__PURE__ */ builder<'time', string>('time');
export const datetime = /* @__PURE__ */ builder<'datetime', string>('datetime');
export const confirm = /* @__PURE__ */ builder<'confirm', boolean>('confirm');
export const rating = /* @__PURE__ */ builder<'rating', number>('rating');
export const custom = /* @__PURE__ */ builder<'custom', string | number | boolean>('custom');
export const signature = /* @__PURE__ */ builder<'signature', FileRef>('signature');

/** Optional by default, unlike other fields: people leave a box unticked instead of answering no. */
export const checkbox = /* @__PURE__ */ builder<'checkbox', boolean, false>('checkbox', false);

export type OptionInput<V extends string> = V | (Omit<Option, 'value'> & { value: V });

function readOptions(options: readonly OptionInput<string>[]): Option[] {
  return options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option));
}

export function select<const V extends string, O extends OptionsOf<'select'> = Record<never, never>>(
  options: readonly OptionInput<V>[],
  rest?: Exactly<O, OptionsOf<'select'>>,
): FieldSpec<V, IsRequired<O, true>> {
  return spec('select', rest, true, { options: readOptions(options) });
}

export function radio<const V extends string, O extends OptionsOf<'radio'> = Record<never, never>>(
  options: readonly OptionInput<V>[],
  rest?: Exactly<O, OptionsOf<'radio'>>,
): FieldSpec<V, IsRequired<O, true>> {
  return spec('radio', rest, true, { options: readOptions(options) });
}

export function multiSelect<const V extends string, O extends OptionsOf<'multi_select'> = Record<never, never>>(
  options: readonly OptionInput<V>[],
  rest?: Exactly<O, OptionsOf<'multi_select'>>,
): FieldSpec<V[], IsRequired<O, true>> {
  return spec('multi_select', rest, true, { options: readOptions(options) });
}

type Files<Options> = 'multiple' extends keyof Options
  ? [Options['multiple']] extends [true]
    ? FileRef[]
    : [Options['multiple']] extends [false]
      ? FileRef
      : FileRef | FileRef[]
  : FileRef;

export const fileUpload = /* @__PURE__ */ builder('file_upload') as <
  O extends OptionsOf<'file_upload'> = Record<never, never>,
>(
  options?: Exactly<O, OptionsOf<'file_upload'>>,
) => FieldSpec<Files<O>, IsRequired<O, true>>;
export const imageUpload = /* @__PURE__ */ builder('image_upload') as <
  O extends OptionsOf<'image_upload'> = Record<never, never>,
>(
  options?: Exactly<O, OptionsOf<'image_upload'>>,
) => FieldSpec<Files<O>, IsRequired<O, true>>;

type DisplaySpec = FieldSpec<never, false>;

export const heading = (words: string, options?: OptionsOf<'heading'>): DisplaySpec => ({
  type: 'heading',
  text: words,
  ...options,
});
export const paragraph = (words: string, options?: OptionsOf<'paragraph'>): DisplaySpec => ({
  type: 'paragraph',
  text: words,
  ...options,
});
export const divider = (options?: OptionsOf<'divider'>): DisplaySpec => ({ type: 'divider', ...options });
