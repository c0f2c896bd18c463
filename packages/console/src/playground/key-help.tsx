/** Lists the keys that are allowed at the caret, from the schemas the server validates with. */
import { tokensOf, valueAt } from './json-text.ts';

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
  additionalProperties?: unknown;
  'x-schema'?: string;
  $ref?: string;
  [keyword: string]: unknown;
}

export interface Schemas {
  body: Schema;
  /** Schemas that others refer to. */
  named: Readonly<Record<string, Schema>>;
}

export interface AllowedKey {
  name: string;
  isRequired: boolean;
  isThere: boolean;
  /** A short description of the accepted values. */
  takes: string;
  description: string;
  /** The initial value. */
  start: unknown;
}

/** Undefined if any key is allowed or the schema is unknown. */
export function allowedAt(schemas: Schemas, value: unknown, pointer: string): AllowedKey[] | undefined {
  const { takesOf, startOf } = wordsBy(schemas);
  const schema = schemaAt(schemas, value, pointer);
  const object = valueAt(value, pointer) as Record<string, unknown> | undefined;
  if (!schema?.properties || Object.keys(schema.properties).length === 0) return undefined;
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, each]) => ({
    name,
    isRequired: required.has(name),
    isThere: object !== undefined && Object.hasOwn(object, name),
    takes: takesOf(each),
    description: each.description ?? resolved(schemas, each).description ?? '',
    start: startOf(each),
  }));
}

function schemaAt(schemas: Schemas, value: unknown, pointer: string): Schema | undefined {
  let schema: Schema | undefined = settled(schemas, schemas.body, value);
  let at = '';
  for (const token of tokensOf(pointer)) {
    at += `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const item: Schema | undefined = /\/options\/\d+$/.test(at) ? schemas.named.Option : schema?.items;
    const found: Schema | undefined = schema?.properties?.[token] ?? (/^\d+$/.test(token) ? item : undefined);
    schema = found && settled(schemas, found, valueAt(value, at));
  }
  return schema;
}

/** Our schemas refer to others in two ways. */
function resolved({ named }: Schemas, schema: Schema): Schema {
  const name = schema['x-schema'] ?? schema.$ref?.split('/').at(-1);
  return (name === undefined ? undefined : named[name]) ?? schema;
}

/** Picks the variant of a union that the value names by its type or mode. */
function settled(schemas: Schemas, schema: Schema, value: unknown): Schema {
  const found = resolved(schemas, schema);
  const forms = found.anyOf ?? found.oneOf;
  if (!forms) return found;
  const objects = forms.map((form) => resolved(schemas, form)).filter((form) => form.properties);
  const said = (value ?? {}) as Record<string, unknown>;
  const fits = (form: Schema) =>
    Object.entries(form.properties ?? {}).every(
      ([name, each]) => each.const === undefined || each.const === said[name],
    );
  const fitting = objects.find(fits);
  if (fitting) return fitting;
  // The value names no variant yet, so only the distinguishing keys are offered.
  const marks = [...new Set(objects.flatMap((form) => constsOf(form).map(([name]) => name)))];
  const properties = marks.map((name): [string, Schema] => [
    name,
    { enum: objects.flatMap((form) => constsOf(form).flatMap(([key, one]) => (key === name ? [one] : []))) },
  ]);
  return { properties: Object.fromEntries(properties), required: marks };
}

const constsOf = (form: Schema): [string, unknown][] =>
  Object.entries(form.properties ?? {}).flatMap(([name, each]): [string, unknown][] =>
    each.const === undefined ? [] : [[name, each.const]],
  );

function wordsBy(schemas: Schemas) {
  const takesOf = (schema: Schema): string => {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum) return schema.enum.map((one) => String(one)).join(' | ');
    const name = schema['x-schema'] ?? schema.$ref?.split('/').at(-1);
    if (name !== undefined && schemas.named[name]?.type === 'object') return name;
    const found = resolved(schemas, schema);
    const forms = found.anyOf ?? found.oneOf;
    if (forms && name !== undefined) return name;
    if (forms) return [...new Set(forms.map(takesOf))].join(' | ');
    if (found.type === 'array') return found.items ? `list of ${takesOf(found.items)}` : 'list';
    if (found.enum) return takesOf(found);
    return found.type === undefined ? 'anything' : [found.type].flat().join(' | ');
  };
  const startOf = (schema: Schema): unknown => {
    const found = resolved(schemas, schema);
    if (found.const !== undefined) return found.const;
    if (found.enum) return found.enum[0];
    const [form] = found.anyOf ?? found.oneOf ?? [];
    if (form) return startOf(form);
    const { properties = {}, required = [] } = found;
    switch ([found.type].flat()[0]) {
      case 'array':
        return [];
      case 'object':
        return Object.fromEntries(required.map((name) => [name, startOf(properties[name] ?? {})]));
      case 'integer':
      case 'number':
        return typeof found.minimum === 'number' ? found.minimum : 0;
      case 'boolean':
        return true;
      default:
        return '';
    }
  };
  return { takesOf, startOf };
}

interface KeyHelpProps {
  pointer: string;
  keys: readonly AllowedKey[] | undefined;
  onInsert(key: AllowedKey): void;
}

export function KeyHelp({ pointer, keys, onInsert }: KeyHelpProps) {
  const open = keys?.filter(({ isThere }) => !isThere) ?? [];
  return (
    <section class="key-help" aria-labelledby="key-help">
      <h2 id="key-help">
        Allowed keys{' '}
        {pointer === '' ? (
          'in the request'
        ) : (
          <>
            in <code>{pointer}</code>
          </>
        )}
      </h2>
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
