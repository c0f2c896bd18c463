/** holdpoint serve: the server, until it is told to stop. */
import { type Config, readConfig, serveHelp } from '../config.ts';
import { isLoopbackHost } from '../http/console/local-request.ts';
import { type RunningServer, startServer } from '../main.ts';
import type { Command, Shell } from './command.ts';
import { whenOrphaned } from './when-orphaned.ts';

export const serveCommand: Command = { help: `holdpoint serve [flags]   run the server\n\n${serveHelp}\n`, run: serve };

/** A stop that takes longer is cut off; the process supervisor would do it otherwise. */
const stopMs = 4_500;

/** It listens for others, and was not told by what address they come. */
const isUnreachable = ({ publicUrl }: Config, server: RunningServer): boolean =>
  publicUrl === undefined && server.publicUrl !== server.url;

const fewestCharacters = 16;

/** Whoever reaches the server may try as many keys as they like. */
const isGuessable = ({ adminKey, host, publicUrl }: Config): boolean =>
  adminKey !== undefined && adminKey.length < fewestCharacters && (publicUrl !== undefined || !isLoopbackHost(host));

function serve(args: readonly string[], { env, stdout, stderr }: Shell): Promise<number> {
  const config = readConfig(args, env);
  return new Promise((resolve, reject) => {
    process.on('uncaughtException', reject);
    // A server whose log nobody reads any more still has answers to keep.
    stderr.on('error', () => {});
    let isStopping = false;
    // Only the first signal counts: Ctrl-C under npm arrives twice, and a second one must not cut the stop short.
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
      if (server.newAdminKey) stdout.write(`holdpoint admin key, shown this once: ${server.newAdminKey}\n`);
      if (isGuessable(config))
        stderr.write(
          `holdpoint: HOLDPOINT_API_KEY has fewer than ${fewestCharacters} characters, and others reach this server; take a longer one\n`,
        );
      if (isUnreachable(config, server))
        stderr.write(`holdpoint: links lead to ${server.publicUrl}, on this machine alone; set --public-url\n`);
      if (!isStopping) stdout.write(`holdpoint ready ${server.url}\n`);
    }, reject);
  });
}
