/** The OpenAPI 3.1 document, made from the table and schemas with which the server checks requests. */
import { defined, errorTable, FieldSchema, fieldSchemas, OptionSchema, type VerbCall } from '@holdpoint/protocol';
import type { TObject } from 'typebox';

/** One call, as the reference describes it. */
export interface DocumentedCall extends Omit<VerbCall, 'verb' | 'inputIn'> {
  /** The body is a file. */
  takesFile?: true;
  /** The media type of its output, if that is not JSON. */
  gives?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: object;
  description?: string;
}

export type OpenApiDocument = ReturnType<typeof openApi>;

export function openApi(routes: readonly DocumentedCall[]) {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdpoint',
      version: '1',
      summary: 'An agent asks, a person answers, the agent continues.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to the URL of the document, because a server can have several.
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: tagWords[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a responder token.' },
        streamToken: {
          ...{ type: 'apiKey', in: 'query', name: 'token' },
          description: 'For the EventSource of a browser: created by `mintStreamToken`, valid for minutes.',
        },
      },
      schemas: { Field: FieldSchema, FieldInput: inputSchemas.Field, Problem: problemSchema },
    },
  };
}

const tagWords: Readonly<Record<string, string>> = {
  Threads: 'A thread is an ordered log of messages and interactions.',
  Messages: 'Messages of people and agents in a thread.',
  Interactions: 'An interaction is one durable question.',
  Files: 'Uploaded files: values of answers, and attachments of threads.',
  Dispatch: 'Batches of inputs for workers.',
  Runs: 'Executions of an agent on a thread.',
  Webhooks: 'Addresses that receive events, and their deliveries.',
  Grants: 'Standing answers to repeated questions.',
  Access: 'API keys, tokens and orgs.',
  Sessions: 'Sessions of visitors on web pages.',
  Events: 'The log of the org and of each thread.',
};

/** Paths that accept something other than the bearer token. */
const securityOf: Readonly<Record<string, object[]>> = {
  '/v1/events': [{ bearer: [] }, { streamToken: [] }],
  // A signed link needs no token.
  '/v1/files/:fileId/content': [{ bearer: [] }, {}],
};

function operation(route: DocumentedCall): object {
  const { operationId, path, tag, summary, description, params, query, body, status, output } = route;
  const { gives: contentType = 'application/json' } = route;
  const isStream = contentType === 'text/event-stream';
  const parameters = [
    ...properties('path', params),
    ...properties('query', query),
    ...(route.takesKey ? [idempotencyKey] : []),
    ...(isStream ? [lastEventId] : []),
  ].filter(({ name }) => !(isStream && name === 'token'));
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...defined({
      parameters: parameters.length > 0 ? parameters : undefined,
      requestBody: route.takesFile ? { required: true, content: fileContent } : requestBodyOf(body),
      security: securityOf[path],
    }),
    responses: {
      [status]: { description: 'Done.', content: { [contentType]: { schema: asReferences(output) } } },
      default: {
        description: 'An error, as an RFC 9457 problem.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

/** A body can be left out if none of its properties is required. */
function requestBodyOf(body: TObject | undefined): object | undefined {
  const { required = [] } = (body ?? {}) as { required?: readonly unknown[] };
  return body && { required: required.length > 0, content: { 'application/json': { schema: asReferences(body) } } };
}

const fileContent = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: { type: 'string', format: 'binary', description: 'The file.' } },
    },
  },
  '*/*': { schema: { type: 'string', format: 'binary' } },
};

function properties(place: 'path' | 'query', schema: TObject | undefined): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description } = property as { description?: string };
    const required = place === 'path' || ((schema?.required ?? []) as string[]).includes(name);
    return { name, in: place, required, schema: property, ...defined({ description: description || undefined }) };
  });
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
  description: 'A call repeated with the same key and body runs once.',
};

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The cursor of the last event that you received.',
};

const problemSchema = {
  type: 'object',
  required: ['title', 'status', 'code', 'detail', 'retryable', 'instance'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { enum: Object.keys(errorTable) },
    detail: { type: 'string' },
    retryable: { type: 'boolean' },
    instance: { type: 'string', description: 'The id of the request, as in the log.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'code', 'message'],
        properties: { pointer: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    current: { type: 'object', description: 'The current state of the record.' },
  },
};

/** Replaces the field union, which is large and part of every interaction, with a reference. */
function asReferences(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema === FieldSchema) return { $ref: '#/components/schemas/Field' };
  const { 'x-schema': input } = schema as { 'x-schema'?: string };
  if (input === 'Field') return { $ref: '#/components/schemas/FieldInput' };
  if (input !== undefined) return inputSchemas[input];
  if (Array.isArray(schema)) return schema.map(asReferences);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, asReferences(value)]));
}

interface FieldShape {
  type: string;
  required?: readonly string[];
  properties: Readonly<Record<string, object>>;
}

const optionInput = {
  anyOf: [{ ...OptionSchema.properties.value, description: 'Both its value and its label.' }, OptionSchema],
};

/**
 * Fields and options as the server accepts them, with the short forms that it replaces when it stores them. The schemas of
 * the protocol name them in `x-schema`.
 */
export const inputSchemas: Readonly<Record<string, object>> = {
  Option: optionInput,
  Field: { anyOf: Object.values(fieldSchemas as unknown as Record<string, FieldShape>).map(withShortForms) },
};

function withShortForms({ properties, ...shape }: FieldShape): object {
  const { type, options, accept } = properties as Record<string, { const?: string } | undefined>;
  return {
    ...shape,
    properties: {
      ...properties,
      ...defined({
        type: type?.const === 'multi_select' ? { type: 'string', enum: ['multi_select', 'multiselect'] } : undefined,
        options: options ? { ...options, items: optionInput } : undefined,
        accept: accept ? { anyOf: [{ type: 'string', description: 'Separated by commas.' }, accept] } : undefined,
      }),
    },
  };
}

/** Replaces keywords of TypeBox with equal keywords that generators of clients read. */
export function withPlainKeywords<T>(node: T): T {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(withPlainKeywords) as T;
  const { patternProperties, ...inner } = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, withPlainKeywords(value)]),
  );
  return { ...inner, ...typeOfEnum(inner), ...asRecord(patternProperties) } as T;
}

/** TypeBox leaves the type out. */
function typeOfEnum(schema: Record<string, unknown>): object {
  const isOfTexts = Array.isArray(schema.enum) && schema.enum.every((value) => typeof value === 'string');
  return isOfTexts && schema.type === undefined ? { type: 'string' } : {};
}

/** A pattern that matches every name becomes `additionalProperties`. */
function asRecord(patterns: unknown): object {
  if (patterns === undefined) return {};
  const { '^.*$': value, ...others } = patterns as Record<string, object | undefined>;
  if (value === undefined || Object.keys(others).length > 0) return { patternProperties: patterns };
  return { additionalProperties: Object.keys(value).length === 0 ? true : value };
}
