/** The server's own OpenAPI document, as a judge of every response the tests get. */
import { type ErrorCode, errorTable } from '@holdpoint/protocol';
import { Compile } from 'typebox/schema';
import { expect } from 'vitest';
import type { Reply } from '../client.ts';

type Json = Record<string, unknown>;

export interface Operation {
  parameters?: { name: string; in: string; required: boolean; schema: Json }[];
  requestBody?: { content: Record<string, { schema: Json }> };
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

  /** Fails the test unless the response is one the document promises. */
  check({ method, path, reply }: { method: string; path: string; reply: Reply<unknown> }): void {
    const { status, headers, body } = reply;
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

  #checkProblem(where: string, { status, headers, body }: Reply<unknown>): void {
    expect(headers.get('content-type'), where).toBe('application/problem+json; charset=utf-8');
    expect(this.accepts({ $ref: '#/components/schemas/Problem' }, body), where).toBe(true);
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
