/** The configuration of a server, read from flags and the environment before anything starts, and its address. */
import { type CreateIdentityProvider, defined } from '@holdpoint/protocol';
import { configuredProviders } from './configured-providers.ts';
import type { RateLimits } from './http/admission/rate-limit.ts';
import { ConfigError, checkedAdminKey, type Env, readStartFlags, startFlags } from './start-flags.ts';

export { ConfigError } from './start-flags.ts';

export interface Config extends RateLimits {
  host: string;
  port: number;
  /** The folder of the embedded store. Unused with a database. */
  dataFolder: string;
  /** A PostgreSQL database that many nodes may share. */
  databaseUrl?: string;
  /** The origin at which people open the server, if it differs from the address it listens on. */
  publicUrl?: string;
  adminKey?: string;
  logLevel: string;
  corsOrigins: string[];
  bodyLimitBytes: number;
  /** Allows webhooks to this machine and its network. */
  allowPrivateWebhooks: boolean;
  /** Files that export agents to run in this process. */
  agentFiles?: string[];
  /** false: the demo is turned off. */
  hasDemo?: boolean;
  /** The identity providers of the operator's org. */
  identityProviders?: readonly CreateIdentityProvider[];
  /** The model of the agent `assistant`. Absent: there is no such agent. */
  assistant?: ModelConfig;
}

/** An endpoint of the OpenAI protocol. */
interface ModelConfig {
  url: string;
  model: string;
  key?: string;
}

/** The limits of an embedded server, which takes no flags. */
export const defaultLimits = {
  rateLimits: {
    responderRateLimit: Number(startFlags['responder-rate-limit'].start),
    sessionRateLimit: Number(startFlags['session-rate-limit'].start),
  },
  bodyLimitBytes: Number(startFlags['max-body-kb'].start) * 1024,
};

export function readConfig(args: readonly string[], env: Env): Config {
  const flags = readStartFlags(args, env);
  const { HOLDPOINT_API_KEY: key } = env;
  return {
    host: flags.host,
    port: flags.port,
    dataFolder: flags.data,
    logLevel: flags['log-level'],
    corsOrigins: flags['cors-origin'],
    bodyLimitBytes: flags['max-body-kb'] * 1024,
    allowPrivateWebhooks: flags['allow-private-webhooks'],
    ...defined({
      publicUrl: flags['public-url'],
      databaseUrl: flags['database-url'],
      adminKey: key ? checkedAdminKey('HOLDPOINT_API_KEY', key) : undefined,
      keyRateLimit: flags['rate-limit'],
      responderRateLimit: flags['responder-rate-limit'],
      sessionRateLimit: flags['session-rate-limit'],
      agentFiles: flags.agent.length > 0 ? flags.agent : undefined,
      hasDemo: flags['no-demo'] ? false : undefined,
      identityProviders: configuredProviders(flags['oidc-file'], env),
      assistant: flags.assistant ? modelConfig(env) : undefined,
    }),
  };
}

/** Messages never repeat the key or the URL, which may contain one. */
function modelConfig(env: Env): ModelConfig {
  const { HOLDPOINT_MODEL_URL: url, HOLDPOINT_MODEL: model, HOLDPOINT_MODEL_KEY: key } = env;
  if (!url || !model) {
    const missing = [url ? [] : 'HOLDPOINT_MODEL_URL', model ? [] : 'HOLDPOINT_MODEL'].flat().join(' and ');
    throw new ConfigError(`--assistant needs a model: set ${missing}`);
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol) || parsed.username || parsed.password)
    throw new ConfigError('HOLDPOINT_MODEL_URL must be like https://models.example.com/v1');
  return { url: url.replace(/\/+$/, ''), model, ...defined({ key: key || undefined }) };
}

/** A server can listen on these addresses, but a client cannot call them. */
const anyAddress: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** True if only this machine can reach a server that listens on this host. */
export const isLoopbackHost = (host: string): boolean =>
  /^(?:localhost|::1|(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/i.test(host);

export const isAnyAddress = (address: string): boolean => Object.hasOwn(anyAddress, address);

export const reachableUrl = (host: string, port: number | string): string => urlOf(anyAddress[host] ?? host, port);

export const urlOf = (host: string, port: number | string): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

export function listenMistake({ host, port }: Config, error: unknown): unknown {
  const explain = listenFaults[String((error as NodeJS.ErrnoException).code)];
  return explain ? new ConfigError(explain(port, host), { cause: error }) : error;
}

const notHere = (_port: number, host: string) => `--host ${host} is not an address of this machine`;

const listenFaults: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port) => `port ${port} is in use. Stop the other program, or choose another port with --port`,
  EACCES: (port) => `this user may not listen on port ${port}. Choose a port above 1023 with --port`,
  EADDRNOTAVAIL: notHere,
  ENOTFOUND: notHere,
  EAI_AGAIN: notHere,
  EINVAL: notHere,
};
