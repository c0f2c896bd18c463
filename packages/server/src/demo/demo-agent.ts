/** holdpoint demo-agent: the process of the demo agent. The server starts it, and it ends with the server. */
import { runAgents } from '@holdpoint/agents';
import { httpService } from '@holdpoint/client';
import type { Command } from '../commands/command.ts';
import { ConfigError } from '../config.ts';
import type { FromAgent, ToAgent, Wanted } from './demo-process.ts';
import { releaseManager } from './release-manager.ts';

export const demoAgentCommand: Command = {
  help: 'holdpoint demo-agent is started by the server, for its demo.\n',
  async run() {
    if (!process.send) throw new ConfigError('demo-agent is started by the server: holdpoint serve');
    // Ctrl-C reaches both processes. The agent ends when its channel to the server closes.
    process.on('SIGINT', () => {});
    process.once('disconnect', () => process.exit(0));
    process.on('message', (message: ToAgent) => {
      if (message.type === 'begin') begin(message);
      else waiting.get(nameOf(message.wanted))?.(message.url);
    });
    return new Promise(() => {});
  },
};

const waiting = new Map<string, (url: string | undefined) => void>();
const nameOf = ({ type, id }: Wanted): string => `${type} ${id}`;

function send(message: FromAgent): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {});
}

function begin({ url, key, pace }: ToAgent & { type: 'begin' }): void {
  const service = httpService({ url, key });
  const onError = (error: unknown) => send({ type: 'error', message: wordsOf(error) });
  const linkFor = (id: string) => urlOf({ type: 'link', id });
  const originOf = (id: string) => urlOf({ type: 'origin', id });
  runAgents({ service, agents: [releaseManager({ service, linkFor, originOf, pace })], onError });
  send({ type: 'ready' });
}

/** Only the server can create links, and only it knows the origin of the demo. */
function urlOf(wanted: Wanted): Promise<string> {
  const name = nameOf(wanted);
  return new Promise((resolve, reject) => {
    waiting.set(name, (url) => {
      waiting.delete(name);
      if (url === undefined) reject(new Error(`The server has no ${wanted.type}.`));
      else resolve(url);
    });
    send({ type: 'ask', wanted });
  });
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
