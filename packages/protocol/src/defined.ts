/** Values of `T` without undefined; a property that may be undefined becomes optional. */
type Defined<T> = { -readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  -readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} extends infer Both
  ? { [K in keyof Both]: Both[K] }
  : never;

/**
 * Copies the properties that have a value. `exactOptionalPropertyTypes` forbids an optional property that is undefined,
 * and undefined properties would show in comparisons and spreads.
 */
export function defined<const T extends object>(properties: T): Defined<T> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as Defined<T>;
}
