/** A caller for tests: JSON in, status and JSON out, with one key or token. */
export interface Reply<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

export interface CallOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export class Client {
  readonly url: string;
  readonly token: string | undefined;

  constructor(url: string, token: string | undefined) {
    this.url = url;
    this.token = token;
  }

  as(token: string | undefined): Client {
    return new Client(this.url, token);
  }

  async call<T = Record<string, unknown>>(
    path: string,
    { method, body, headers, signal }: CallOptions = {},
  ): Promise<Reply<T>> {
    const response = await fetch(this.url + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : {}) as T };
  }

  get<T = Record<string, unknown>>(path: string, options: CallOptions = {}): Promise<Reply<T>> {
    return this.call<T>(path, { ...options, method: 'GET' });
  }

  post<T = Record<string, unknown>>(
    path: string,
    body: unknown = {},
    headers: Record<string, string> = {},
  ): Promise<Reply<T>> {
    return this.call<T>(path, { method: 'POST', body, headers });
  }
}
