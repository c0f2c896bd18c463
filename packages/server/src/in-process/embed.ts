/** Holdpoint inside your own process: every verb, timers, webhooks, dispatch and agents, and a handler of requests. */
import { Holdpoint, type Transport } from '@holdpoint/client';
import { defined, errorTable, type Fault, HoldpointError, type Interaction } from '@holdpoint/protocol';
import { defaultLimits } from '../config.ts';
import { type Caller, inProcessKeyId } from '../domain/caller.ts';
import { drainMs, type Engine, openEngine, type World } from '../engine.ts';
import type { FetchHandler } from '../http/connections/fetch-handler.ts';
import { problemType, renderProblem } from '../http/faults/send-fault.ts';
import { isAgent } from '../load-agents.ts';
import { operatorOrg } from '../operations/access/orgs.ts';
import { ConfigError, checkedAdminKey, filled, postgresUrl, publicUrl } from '../start-flags.ts';
import type { Web, WebOptions } from '../web.ts';
import { Calls, checkedService } from './checked-service.ts';
import type { EmbeddedHoldpoint, HoldpointOptions } from './embedded-holdpoint.ts';
import { followInProcess } from './follow.ts';

/** The code of the process has all rights. */
const caller: Caller = { kind: 'key', orgId: operatorOrg, keyId: inProcessKeyId, role: 'admin', isLocal: true };

class InProcessHoldpoint extends Holdpoint implements EmbeddedHoldpoint {
  readonly #engine: Engine;
  readonly #calls: Calls;
  readonly #web: LazyWeb;
  readonly fetch: EmbeddedHoldpoint['fetch'];

  constructor(engine: Engine, calls: Calls, { web, ...transport }: Transport & { web: LazyWeb }) {
    super(transport);
    this.#engine = engine;
    this.#calls = calls;
    this.#web = web;
    this.fetch = (request, options) => web.fetch(request, options);
  }

  /** Over HTTP a wait continues when the server is back. Here nothing comes back, so closing ends a wait. */
  override wait(...[interaction, options]: Parameters<Holdpoint['wait']>): Promise<Interaction> {
    const { closing } = this.#calls;
    const signal = options?.signal ? AbortSignal.any([closing, options.signal]) : closing;
    return super.wait(interaction, { ...options, signal });
  }

  async close(): Promise<void> {
    await this.#engine.stop(Promise.all([this.#calls.close(drainMs), this.#web.close()]));
  }
}

/** Tests replace the world. */
export async function embed(options: HoldpointOptions, world: World = {}): Promise<EmbeddedHoldpoint> {
  const { config, agents, publicUrl, adminKey, logLevel } = readOptions(options);
  const engine = await openEngine({ config, publicUrl: () => publicUrl, world });
  const log = logLevel === 'silent' ? { error() {} } : standardError;
  const calls = new Calls((error) => log.error({ err: error }, 'unforeseen'));
  try {
    engine.start(log);
    await engine.startAgents(agents);
    return new InProcessHoldpoint(engine, calls, {
      service: checkedService(engine.context, caller, calls),
      events: followInProcess(engine, caller, calls.closing),
      web: new LazyWeb(engine, { publicUrl, adminKey, logLevel }),
    });
  } catch (error) {
    await engine.stop();
    throw error;
  }
}

const standardError = {
  error({ err }: { err: unknown }, msg: string): void {
    const { message, stack } = err instanceof Error ? err : { message: String(err) };
    const line = { level: 'error', time: Date.now(), msg: `holdpoint: ${msg}`, err: { message, stack } };
    process.stderr.write(`${JSON.stringify(line)}\n`);
  },
};

class LazyWeb {
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

const names = ['data', 'databaseUrl', 'agents', 'publicUrl', 'adminKey', 'logLevel'];

function readOptions(options: HoldpointOptions) {
  if (typeof options !== 'object' || options === null) throw new ConfigError('give options, such as { data: folder }');
  const { data, databaseUrl, agents = [], logLevel = 'error' } = options;
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new ConfigError(`there is no option "${unknown}"; there are ${names.join(', ')}`);
  if ((data === undefined) === (databaseUrl === undefined))
    throw new ConfigError('give data, a folder, or databaseUrl, one of the two');
  if (logLevel !== 'error' && logLevel !== 'silent') throw new ConfigError('logLevel is error or silent');
  for (const name of ['data', 'databaseUrl', 'publicUrl', 'adminKey'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'string') throw new ConfigError(`${name} is a text`);
  if (!Array.isArray(agents) || !agents.every(isAgent))
    throw new ConfigError('agents are what agent(name, run) makes, each with a name and a function');
  const twice = agents.find(({ name }, index) => agents.findIndex((other) => other.name === name) !== index);
  if (twice) throw new ConfigError(`two agents are named "${twice.name}"`);
  return {
    config: {
      dataFolder: data === undefined ? '' : filled('data', data),
      ...defined({ databaseUrl: databaseUrl === undefined ? undefined : postgresUrl(databaseUrl) }),
      allowPrivateWebhooks: false,
    },
    agents,
    publicUrl: options.publicUrl === undefined ? undefined : publicUrl('publicUrl', options.publicUrl),
    adminKey: options.adminKey === undefined ? undefined : checkedAdminKey('adminKey', options.adminKey),
    logLevel,
  };
}
