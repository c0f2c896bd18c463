/** Loads the HTTP server with the first request: a process that calls verbs alone never holds it. */
import { errorTable, type Fault, HoldpointError } from '@holdpoint/protocol';
import type { Engine } from '../engine.ts';
import type { FetchHandler } from '../http/connections/fetch-handler.ts';
import { problemType, renderProblem } from '../http/faults/problem-details.ts';
import type { Web, WebOptions } from './web.ts';

export class LazyWeb {
  readonly #engine: Engine;
  readonly #options: WebOptions;
  #opening: Promise<Web> | undefined;
  #isClosed = false;

  constructor(engine: Engine, options: WebOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  async fetch(...[request, options]: Parameters<FetchHandler>): Promise<Response> {
    if (this.#isClosed) return this.#problem({ code: 'shutting-down', detail: 'This Holdpoint was closed.' });
    this.#opening ??= import('./web.ts').then(({ openWeb }) => openWeb(this.#engine, this.#options));
    const opening = this.#opening;
    let web: Web;
    try {
      web = await opening;
    } catch (error) {
      // The database was away, for example. The next request tries again.
      if (this.#opening === opening) this.#opening = undefined;
      if (error instanceof HoldpointError) return this.#problem(error.fault);
      throw error;
    }
    return web.fetch(request, options);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const web = await this.#opening?.catch(() => undefined);
    await web?.close();
  }

  #problem(fault: Fault): Response {
    const headers = { 'content-type': problemType, 'cache-control': 'no-store' };
    const { status } = errorTable[fault.code];
    return new Response(renderProblem(fault, this.#engine.context.newId()), { status, headers });
  }
}
