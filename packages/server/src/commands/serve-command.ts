/** holdpoint serve: runs the server until it is stopped. */
import type { SignInLink } from '@holdpoint/protocol';
import { type Config, isLoopbackHost, readConfig } from '../config.ts';
import { type RunningServer, startServer } from '../main.ts';
import { serveHelp } from '../start-flags.ts';
import type { Command, Shell } from './command.ts';

export const serveCommand: Command = { help: `holdpoint serve [flags]   run the server\n\n${serveHelp}\n`, run: serve };

/** A longer stop is cut off, because a process supervisor would kill the process anyway. */
const stopMs = 4_500;

/** Others can reach the server, but its links would lead to this machine. */
const isUnreachable = ({ publicUrl }: Config, server: RunningServer): boolean =>
  publicUrl === undefined && server.publicUrl !== server.url;

const fewestCharacters = 16;

/** Anybody who can reach the server may try any number of keys. */
const isGuessable = ({ adminKey, host, publicUrl }: Config): boolean =>
  adminKey !== undefined && adminKey.length < fewestCharacters && (publicUrl !== undefined || !isLoopbackHost(host));

function serve(args: readonly string[], { env, stdout, stderr }: Shell): Promise<number> {
  const config = readConfig(args, env);
  return new Promise((resolve, reject) => {
    process.on('uncaughtException', reject);
    // The server must go on when nobody reads its log.
    stderr.on('error', () => {});
    let isStopping = false;
    // Only the first signal counts: under npm, Ctrl-C arrives twice, and the second one must not cut the stop short.
    const stop = () => {
      if (isStopping) return;
      isStopping = true;
      setTimeout(() => resolve(0), stopMs).unref();
      starting.then((server) => server.stop()).then(() => resolve(0), reject);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    whenOrphaned(env, stop);
    const starting = startServer(config);
    starting.then((server) => {
      if (server.newAdminKey) stdout.write(`holdpoint admin key, shown only once: ${server.newAdminKey}\n`);
      if (isGuessable(config))
        stderr.write(
          `holdpoint: HOLDPOINT_API_KEY has fewer than ${fewestCharacters} characters, and others can reach this server; use a longer key\n`,
        );
      if (isUnreachable(config, server))
        stderr.write(
          `holdpoint: links point to ${server.publicUrl}, which works only on this machine; set --public-url\n`,
        );
      if (isStopping) return;
      const signIn = server.signInLink ? `${signInText(server.signInLink)}\n` : '';
      stdout.write(`holdpoint ready ${server.url}\n${signIn}`);
    }, reject);
  });
}

const signInText = ({ url }: SignInLink): string =>
  `Open this link to sign in as the first admin. It works once, for a day: ${url}`;

const lookMs = 500;

/** npx runs a command in a shell that dies on a signal without passing it on. Calls back when that shell is gone. */
export function whenOrphaned(env: Readonly<Record<string, string | undefined>>, stop: () => void): void {
  if (env.npm_command !== 'exec' || !env.npm_lifecycle_script?.includes('holdpoint')) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    stop();
  }, lookMs);
  looking.unref();
}
