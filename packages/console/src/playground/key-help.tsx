/** Lists the keys that are allowed at the caret, from the schemas the server validates with. */
import { pointer, tokensOf } from '@holdpoint/protocol';
import { valueAt } from './json-text.ts';

export interface Schema {
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  description?: string;
  minimum?: number;
  'x-schema'?: string;
  $ref?: string;
  [keyword: string]: unknown;
}

export interface Schemas {
  body: Schema;
  /** Schemas that others refer to. */
  named: Readonly<Record<string, Schema>>;
}

export type AllowedKey = NonNullable<ReturnType<typeof allowedAt>>[number];

/** Undefined if any key is allowed or the schema is unknown. */
export function allowedAt(schemas: Schemas, value: unknown, target: string) {
  const schema = schemaAt(schemas, value, target);
  const object = valueAt(value, target) as Record<string, unknown> | undefined;
  if (!schema?.properties || Object.keys(schema.properties).length === 0) return undefined;
  return Object.entries(schema.properties).map(([name, each]) => ({
    name,
    isRequired: schema.required?.includes(name) === true,
    isPresent: object !== undefined && Object.hasOwn(object, name),
    /** A short description of the accepted values. */
    takes: takesOf(schemas, each),
    description: each.description ?? resolved(schemas, each).description ?? '',
    /** The initial value. */
    start: startOf(schemas, each),
  }));
}

function schemaAt(schemas: Schemas, value: unknown, target: string): Schema | undefined {
  let schema: Schema | undefined = settled(schemas, schemas.body, value);
  let at = '';
  for (const token of tokensOf(target)) {
    at = pointer(at, token);
    const item: Schema | undefined = /\/options\/\d+$/.test(at) ? schemas.named.Option : schema?.items;
    const found: Schema | undefined = schema?.properties?.[token] ?? (/^\d+$/.test(token) ? item : undefined);
    schema = found && settled(schemas, found, valueAt(value, at));
  }
  return schema;
}

/** Our schemas refer to others by `x-schema` or by `$ref`. */
function resolved({ named }: Schemas, schema: Schema): Schema {
  return named[nameOf(schema) ?? ''] ?? schema;
}

const nameOf = (schema: Schema): string | undefined => schema['x-schema'] ?? schema.$ref?.split('/').at(-1);

/** Picks the variant of a union that the value names by its type or mode. */
function settled(schemas: Schemas, schema: Schema, value: unknown): Schema {
  const found = resolved(schemas, schema);
  const forms = found.anyOf ?? found.oneOf;
  if (!forms) return found;
  const objects = forms.map((form) => resolved(schemas, form)).filter((form) => form.properties);
  const given = (value ?? {}) as Record<string, unknown>;
  const fitting = objects.find((form) => constsOf(form).every(([name, one]) => one === given[name]));
  if (fitting) return fitting;
  // The value names no variant yet, so only the distinguishing keys are offered.
  const marks = Map.groupBy(objects.flatMap(constsOf), ([name]) => name);
  const properties = [...marks].map(([name, all]) => [name, { enum: all.map(([, one]) => one) }] as const);
  return { properties: Object.fromEntries(properties), required: [...marks.keys()] };
}

const constsOf = (form: Schema): (readonly [name: string, value: unknown])[] =>
  Object.entries(form.properties ?? {}).flatMap(([name, each]) =>
    each.const === undefined ? [] : [[name, each.const] as const],
  );

function takesOf(schemas: Schemas, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(String).join(' | ');
  const name = nameOf(schema);
  const found = resolved(schemas, schema);
  const forms = found.anyOf ?? found.oneOf;
  if (name !== undefined && (forms || schemas.named[name]?.type === 'object')) return name;
  if (forms) return [...new Set(forms.map((form) => takesOf(schemas, form)))].join(' | ');
  if (found.type === 'array') return found.items ? `list of ${takesOf(schemas, found.items)}` : 'list';
  if (found.enum) return takesOf(schemas, found);
  return found.type === undefined ? 'anything' : [found.type].flat().join(' | ');
}

function startOf(schemas: Schemas, schema: Schema): unknown {
  const found = resolved(schemas, schema);
  if (found.const !== undefined) return found.const;
  if (found.enum) return found.enum[0];
  const [form] = found.anyOf ?? found.oneOf ?? [];
  if (form) return startOf(schemas, form);
  const { properties = {}, required = [], minimum } = found;
  const starts: Record<string, () => unknown> = {
    array: () => [],
    object: () => Object.fromEntries(required.map((name) => [name, startOf(schemas, properties[name] ?? {})])),
    integer: () => minimum ?? 0,
    number: () => minimum ?? 0,
    boolean: () => true,
  };
  return starts[[found.type].flat()[0] ?? '']?.() ?? '';
}

interface KeyHelpProps {
  pointer: string;
  keys: readonly AllowedKey[] | undefined;
  onInsert(key: AllowedKey): void;
}

export function KeyHelp({ pointer, keys, onInsert }: KeyHelpProps) {
  const open = keys?.filter(({ isPresent }) => !isPresent) ?? [];
  return (
    <section class="key-help" aria-labelledby="key-help">
      <h2 id="key-help">Allowed keys in {pointer === '' ? 'the request' : <code>{pointer}</code>}</h2>
      {!keys && <p class="hint">Any key. The server stores this part as it is.</p>}
      {keys && open.length === 0 && <p class="hint">All allowed keys are present.</p>}
      <ul>
        {open.map((key) => (
          <li key={key.name}>
            <button
              type="button"
              class={key.isRequired ? 'key required' : 'key'}
              aria-label={`Add ${key.name}${key.isRequired ? ', required' : ''}`}
              onClick={() => onInsert(key)}
            >
              {key.name}
            </button>
            <span class="key-takes">{key.takes}</span>
            {key.description && <span class="key-about">{key.description}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
