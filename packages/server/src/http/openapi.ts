/** The OpenAPI 3.1 document, made from the same table and schemas the server checks with. */
import { errorTable, FieldSchema } from '@holdpoint/protocol';
import type { TObject } from 'typebox';
import { type RouteSpec, takesKey } from './route.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: object;
  description?: string;
}

export type OpenApiDocument = ReturnType<typeof openApi>;

export function openApi(routes: readonly RouteSpec[]) {
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
    security: [{ bearer: [] }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'An API key or a responder token.' } },
      schemas: { Field: FieldSchema, Problem: problemSchema },
    },
  };
}

function operation(route: RouteSpec): object {
  const { path, tag, summary, description, params, query, body, status, response } = route;
  const parameters = [
    ...properties('path', params),
    ...properties('query', query),
    ...(takesKey(route) ? [idempotencyKey] : []),
    ...(path === '/v1/events' ? [lastEventId] : []),
  ];
  const contentType = path === '/v1/events' ? 'text/event-stream' : (route.gives ?? 'application/json');
  return {
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: asReferences(body) } } } }
      : {}),
    ...(route.takesFile ? { requestBody: { required: true, content: fileContent } } : {}),
    responses: {
      [status]: { description: 'Done.', content: { [contentType]: { schema: asReferences(response) } } },
      default: {
        description: 'An error, as an RFC 9457 problem.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
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
    return { name, in: place, required, schema: property, ...(description ? { description } : {}) };
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
  if (schema === FieldSchema || (schema as { 'x-schema'?: string })['x-schema'] === 'Field')
    return { $ref: '#/components/schemas/Field' };
  if (Array.isArray(schema)) return schema.map(asReferences);
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, asReferences(value)]));
}
