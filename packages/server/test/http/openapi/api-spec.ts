/** The server's own OpenAPI document, as a judge of every response the tests get. */
import { type ErrorCode, errorTable } from '@holdpoint/protocol';
import { Compile } from 'typebox/schema';
import { expect } from 'vitest';
import type { Reply } from '../../client.ts';

type Json = Record<string, unknown>;

const problemSchema: Json = { $ref: '#/components/schemas/Problem' };

export interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Json }> };
  responses: Record<string, { content: Record<string, { schema: Json }> }>;
}

export interface OpenApi extends Json {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

export class ApiSpec {
  readonly document: OpenApi;
  readonly #checks = new Map<object, (value: unknown) => boolean>();

  constructor(document: OpenApi) {
    this.document = document;
  }

  operation(method: string, path: string): Operation | undefined {
    const [pathname = ''] = path.split('?', 1);
    const found = Object.entries(this.document.paths).find(([template]) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    );
    return found?.[1][method.toLowerCase()];
  }

  /** Fails the test unless the response is one the document promises, and the request one that it allows if the server took it. */
  check(call: { method: string; path: string; sent?: unknown; reply: Reply<unknown> }): void {
    const { method, path, reply } = call;
    const { status, headers, body } = reply;
    if (status < 300)
      expect(this.refusal(call), `${method} ${path}: the server took what the document refuses`).toBe('');
    const where = `${method} ${path} → ${status} ${JSON.stringify(body)}`;
    expect(headers.get('x-request-id'), where).toBeTruthy();
    if (status >= 400) {
      this.#checkProblem(where, reply);
      return;
    }
    const responses = this.operation(method, path)?.responses;
    if (!responses) return;
    const content = responses[status]?.content;
    // The bytes of a file are whatever they are.
    if (content && !content['application/json']) return;
    const schema = content?.['application/json']?.schema;
    expect(schema, `${where}: this status is not in the document`).toBeDefined();
    if (schema) expect(this.accepts(schema, body), `${where}: not as the document says`).toBe(true);
  }

  /** Why the document refuses a request; empty if it does not. Of a file it knows only the query. */
  refusal({ method, path, sent }: { method: string; path: string; sent?: unknown }): string {
    const operation = this.operation(method, path);
    if (!operation) return '';
    const { parameters = [], requestBody } = operation;
    const query = [...new URL(path, 'http://x').searchParams];
    for (const [name, text] of query) {
      const known = parameters.find((each) => each.in === 'query' && each.name === name);
      if (!known) return `there is no parameter ${name}`;
      const value = known.schema.type === 'integer' ? Number(text) : text;
      if (!this.accepts(known.schema, value)) return `${name} may not be ${text}`;
    }
    const missing = parameters.find(
      (each) => each.in === 'query' && each.required && !query.some(([name]) => name === each.name),
    );
    if (missing) return `${missing.name} is required`;
    const schema = requestBody?.content['application/json']?.schema;
    if (sent === undefined || sent === '') return requestBody?.required ? 'a body is required' : '';
    if (!schema) return '';
    const body = typeof sent === 'string' ? JSON.parse(sent) : JSON.parse(JSON.stringify(sent));
    return this.accepts(schema, body) ? '' : `the body may not be ${JSON.stringify(body)}`;
  }

  #checkProblem(where: string, { status, headers, body }: Reply<unknown>): void {
    expect(headers.get('content-type'), where).toBe('application/problem+json; charset=utf-8');
    expect(this.accepts(problemSchema, body), where).toBe(true);
    const problem = body as { code: ErrorCode; status: number; type: string; instance: string };
    expect(problem, where).toMatchObject({
      status,
      type: `/docs#error-${problem.code}`,
      instance: headers.get('x-request-id'),
    });
    expect(errorTable[problem.code].status, where).toBe(status);
  }

  accepts(schema: Json, value: unknown): boolean {
    const known = this.#checks.get(schema);
    if (known) return known(value);
    const compiled = Compile(this.resolve(schema) as Json);
    const check = (given: unknown) => compiled.Check(given);
    this.#checks.set(schema, check);
    return check(value);
  }

  /** The schema with what it refers to put in place; throws where a reference leads nowhere. */
  resolve(node: unknown): unknown {
    if (Array.isArray(node)) return node.map((item) => this.resolve(item));
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node && typeof node.$ref === 'string') return this.resolve(this.#target(node.$ref));
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, this.resolve(value)]));
  }

  #target(ref: string): unknown {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(ref)?.[1];
    const target = name === undefined ? undefined : this.document.components.schemas[name];
    if (target === undefined) throw new Error(`${ref} leads nowhere`);
    return target;
  }
}
