/** The server: the engine with HTTP. */
import type { AddressInfo } from 'node:net';
import type { Agent } from '@holdpoint/agents';
import { defined, type SignInLink } from '@holdpoint/protocol';
import { type Config, isAnyAddress, listenMistake, reachableUrl, urlOf } from './config.ts';
import { startDemo } from './demo/demo.ts';
import { drainMs, openEngine, type World } from './engine.ts';
import { lostData } from './open-data.ts';
import { firstAdminKey, operatorOrg } from './operations/access/orgs.ts';
import { firstAdminLink } from './operations/people/sign-in-links.ts';
import { openWeb } from './web.ts';

export interface RunningServer {
  url: string;
  /** The base of its links. */
  publicUrl: string;
  /** Calls the server without a socket. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** The key that the first start creates if none is configured. It is shown once. */
  newAdminKey?: string;
  /** The link of the first admin, until there is one. */
  signInLink?: SignInLink;
  /** Ends waits and streams, finishes running work, and closes the store. */
  stop(): Promise<void>;
}

/** Replaced by tests. */
export interface Internals extends Omit<World, 'clock'> {
  agents?: readonly Agent[];
  demoPace?: number;
  drainQuietMs?: number;
}

export async function startServer(
  config: Config,
  clock = { now: Date.now },
  { agents: given = [], demoPace = 1, drainQuietMs, ...world }: Internals = {},
): Promise<RunningServer> {
  const agents = await agentsOf(config, given);
  let url = '';
  let urlHere = '';
  const publicUrl = () => config.publicUrl ?? urlHere;
  const engine = await openEngine({ config, publicUrl, world: { ...world, clock } });
  let stop = () => engine.stop();
  try {
    const { context } = engine;
    const { adminKey, corsOrigins, bodyLimitBytes, logLevel } = config;
    const demo =
      config.hasDemo === false
        ? undefined
        : startDemo({
            ...{ context, publicUrl, pace: demoPace, url: () => urlHere },
            onError: (error) => app.log.warn({ err: error }, 'the agent of the demo'),
          });
    const web = await openWeb(engine, {
      ...{ adminKey, demo, corsOrigins, bodyLimitBytes, logLevel, drainQuietMs },
      ...{ publicUrl: config.publicUrl, rateLimits: config },
    });
    const { app } = web;
    const drain = async () => {
      demo?.stop();
      const cutOff = setTimeout(() => app.server.closeAllConnections(), drainMs);
      await engine.stop(Promise.all([app.close(), web.close(drainMs)])).finally(() => clearTimeout(cutOff));
    };
    let draining: Promise<void> | undefined;
    stop = () => {
      draining ??= drain();
      return draining;
    };
    engine.start(app.log);
    await app.listen({ port: config.port, host: config.host }).catch((error: unknown) => {
      throw listenMistake(config, error);
    });
    const { address, port } = app.server.address() as AddressInfo;
    url = urlOf(config.host, port);
    // Uses the bound address, because there are many ways to write the one for all interfaces.
    urlHere = isAnyAddress(address) ? reachableUrl(address, port) : url;
    // Created last, because a start that fails afterwards would never show the key.
    const newAdminKey = adminKey ? undefined : await firstAdminKey(context);
    const signInLink = await firstAdminLink(context, operatorOrg);
    demo?.resume().catch((error: unknown) => app.log.warn({ err: error }, 'the demo does not continue'));
    await engine.startAgents(agents);
    const fetch = async (to: string, init?: RequestInit) => {
      const request = new Request(to, init);
      const response = await web.fetch(request);
      request.signal.throwIfAborted();
      return response;
    };
    return {
      url,
      publicUrl: publicUrl(),
      fetch,
      ...defined({ newAdminKey: newAdminKey || undefined, signInLink }),
      stop,
    };
  } catch (error) {
    await stop();
    throw lostData(config, error);
  }
}

/** Loads no agent code on a server without agents. */
async function agentsOf({ agentFiles = [], assistant }: Config, given: readonly Agent[]): Promise<Agent[]> {
  if (agentFiles.length === 0 && !assistant) return [...given];
  const { loadAgents } = await import('./load-agents.ts');
  if (!assistant) return loadAgents(agentFiles, given);
  const { assistant: assistantOf, modelAt, onboardingTools } = await import('@holdpoint/agents/assistant');
  // A model that can ask the user, with the tools of the example.
  const configured = assistantOf({ model: modelAt(assistant), interactionTools: onboardingTools });
  return loadAgents(agentFiles, [...given, configured]);
}
