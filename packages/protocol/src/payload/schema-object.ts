/** The keywords of JSON Schema 2020-12 that a payloadSchema may use, once `analyseSchema` has found no fault. */
import type { applicators } from './keyword-shapes.ts';

export type Schema = boolean | SchemaObject;

/** The forms of the argument of a keyword that holds schemas. */
interface Subschemas {
  one: Schema;
  list: Schema[];
  map: Record<string, Schema>;
}

type NumberKeyword = `${'min' | 'max'}${'Length' | 'Items' | 'Contains' | 'Properties'}`;

export type SchemaObject = {
  $ref?: string;
  /** Notes, which check nothing and are not checked. */
  title?: unknown;
  description?: unknown;
  default?: unknown;
  examples?: unknown;
  writeOnly?: unknown;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  pattern?: string;
  uniqueItems?: boolean;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
} & { [K in keyof typeof applicators]?: Subschemas[(typeof applicators)[K]] } & {
  [K in NumberKeyword | 'minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf']?: number;
};

/** Whether a payload may hold a secret. Such a payload has no draft, because a draft cannot leave out a part of it. */
export const hasSecret = (payloadSchema: unknown): boolean =>
  /"format":"password"|"writeOnly":true/.test(JSON.stringify(payloadSchema) ?? '');
