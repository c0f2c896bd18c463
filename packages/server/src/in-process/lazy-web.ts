/** Loads the HTTP server with the first request, so that a process that calls only verbs never holds it. */
import { errorTable, type Fault, HoldpointError } from '@holdpoint/protocol';
import { defaultLimits } from '../config.ts';
import { drainMs, type Engine } from '../engine.ts';
import type { FetchHandler } from '../http/connections/fetch-handler.ts';
import { problemType, renderProblem } from '../http/faults/problem-details.ts';
import type { Web, WebOptions } from '../web.ts';

export class LazyWeb {
  readonly #engine: Engine;
  readonly #options: Pick<WebOptions, 'publicUrl' | 'adminKey' | 'logLevel'>;
  #opening: Promise<Web> | undefined;
  #isClosed = false;

  constructor(engine: Engine, options: Pick<WebOptions, 'publicUrl' | 'adminKey' | 'logLevel'>) {
    this.#engine = engine;
    this.#options = options;
  }

  async fetch(...[request, options]: Parameters<FetchHandler>): Promise<Response> {
    if (this.#isClosed) return this.#problem({ code: 'shutting-down', detail: 'This Holdpoint was closed.' });
    this.#opening ??= this.#open();
    const opening = this.#opening;
    let web: Web;
    try {
      web = await opening;
    } catch (error) {
      // The database was unreachable, for example. The next request tries again.
      if (this.#opening === opening) this.#opening = undefined;
      if (error instanceof HoldpointError) return this.#problem(error.fault);
      throw error;
    }
    return web.fetch(request, options);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const web = await this.#opening?.catch(() => undefined);
    await web?.app.close();
    await web?.close(drainMs);
  }

  async #open(): Promise<Web> {
    const { openWeb } = await import('../web.ts');
    const web = await openWeb(this.#engine, {
      ...this.#options,
      ...defaultLimits,
      corsOrigins: [],
      // No proxy keeps the internet from an app.
      metricsTakeKey: true,
      // The framework that passes requests on is open to others, whatever address it gives.
      isForThisMachine: false,
    });
    await web.app.ready();
    return web;
  }

  #problem(fault: Fault): Response {
    const headers = { 'content-type': problemType, 'cache-control': 'no-store' };
    const { status } = errorTable[fault.code];
    return new Response(renderProblem(fault, this.#engine.context.newId()), { status, headers });
  }
}
