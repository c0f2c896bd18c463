/** The keywords of JSON Schema 2020-12 that a payloadSchema may use, once `analyseSchema` has found it sound. */
export type Schema = boolean | SchemaObject;

type SchemaMap = Record<string, Schema>;

export interface SchemaObject {
  $ref?: string;
  $defs?: SchemaMap;
  definitions?: SchemaMap;
  /** Notes: they check nothing, and nobody has checked them. */
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
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minContains?: number;
  maxContains?: number;
  minProperties?: number;
  maxProperties?: number;
  required?: string[];
  dependentRequired?: Record<string, string[]>;

  properties?: SchemaMap;
  patternProperties?: SchemaMap;
  additionalProperties?: Schema;
  propertyNames?: Schema;
  dependentSchemas?: SchemaMap;
  prefixItems?: Schema[];
  items?: Schema;
  contains?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
}

/** Whether a payload may hold a secret. Such a payload has no draft, because a draft cannot leave out a part of it. */
export const hasSecret = (payloadSchema: unknown): boolean =>
  /"format":"password"|"writeOnly":true/.test(JSON.stringify(payloadSchema) ?? '');
