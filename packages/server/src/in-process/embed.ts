/** Holdpoint inside your own process: every verb, timers, webhooks, dispatch and agents, and a handler of requests. */
import { Holdpoint, type Transport } from '@holdpoint/client';
import type { Interaction } from '@holdpoint/protocol';
import { type Caller, inProcessKeyId } from '../domain/caller.ts';
import { drainMs, type Engine, openEngine, type World } from '../engine.ts';
import { operatorOrg } from '../operations/access/orgs.ts';
import { Calls } from './calls.ts';
import { checkedService } from './checked-service.ts';
import type { EmbeddedHoldpoint, HoldpointOptions } from './embedded-holdpoint.ts';
import { followInProcess } from './follow.ts';
import { LazyWeb } from './lazy-web.ts';
import { readOptions } from './read-options.ts';

/** The code of the process has all rights. */
const caller: Caller = { kind: 'key', orgId: operatorOrg, keyId: inProcessKeyId, role: 'admin' };

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
