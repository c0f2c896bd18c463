/** The OpenAPI 3.1 document, made from the same table and schemas the server checks with. */
import { defined, errorTable, FieldSchema, type VerbCall } from '@holdpoint/protocol';
import type { TObject } from 'typebox';
import { eventsPath } from '../streams/event-source.ts';
import { inputSchemas } from './field-input.ts';

/** What the reference says about one call. */
export interface DocumentedCall extends Omit<VerbCall, 'verb' | 'inputIn'> {
  /** Its body is a file. */
  takesFile?: true;
  /** The media type of its output, if that is not JSON. */
  gives?: string;
}

interface Parameter {
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
      summary: 'An agent asks, a person answers, the agent goes on.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to the address of the document: the server may be reached at several.
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: tagWords[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a responder token.' },
        streamToken: {
          ...{ type: 'apiKey', in: 'query', name: 'token' },
          description: 'For the EventSource of a browser: made by `mintStreamToken`, valid for minutes.',
        },
      },
      schemas: { Field: FieldSchema, FieldInput: inputSchemas.Field, Problem: problemSchema },
    },
  };
}

const tagWords: Readonly<Record<string, string>> = {
  Threads: 'A thread is an ordered log of messages and interactions.',
  Messages: 'What people and agents say in a thread.',
  Interactions: 'An interaction is one durable question.',
  Files: 'Files that people upload as an answer.',
  Dispatch: 'Batches of inputs for workers that pull.',
  Runs: 'Executions of an agent on a thread.',
  Webhooks: 'Where events are sent to, and what became of each.',
  Grants: 'Standing answers.',
  Access: 'API keys, tokens and orgs.',
  Sessions: 'Visitors of a web page, by a public key.',
  Events: 'The log, as server-sent events.',
};

/** Other ways to be let in than the bearer token. */
const securityOf: Readonly<Record<string, object[]>> = {
  [eventsPath]: [{ bearer: [] }, { streamToken: [] }],
  // By a link that is signed.
  '/v1/files/:fileId/content': [{ bearer: [] }, {}],
};

function operation(route: DocumentedCall): object {
  const { operationId, path, tag, summary, description, params, query, body, status, output } = route;
  const parameters = [
    ...properties('path', params),
    ...properties('query', query),
    ...(route.takesKey ? [idempotencyKey] : []),
    ...(path === eventsPath ? [lastEventId] : []),
  ].filter(({ name }) => !(path === eventsPath && name === 'token'));
  const contentType = path === eventsPath ? 'text/event-stream' : (route.gives ?? 'application/json');
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
  description: 'A call repeated with the same key and body is done once.',
};

const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string' },
  description: 'The cursor of the last event you have.',
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
    current: { type: 'object', description: 'The state that was met.' },
  },
};

/** The field union is large and stands in every interaction: it is written once and referred to. */
function asReferences(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (schema === FieldSchema) return { $ref: '#/components/schemas/Field' };
  const { 'x-schema': input } = schema as { 'x-schema'?: string };
  if (input === 'Field') return { $ref: '#/components/schemas/FieldInput' };
  if (input !== undefined) return inputSchemas[input];
  if (Array.isArray(schema)) return schema.map(asReferences);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, asReferences(value)]));
}
