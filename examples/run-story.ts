/** Runs one story: its own server, programs as a reader would run them, and a person who answers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FreeObject, Holdpoint, type Interaction } from '@holdpoint/client';
import { type Program, type ProgramOptions, startProgram } from './start-program.ts';
import { newAdminKey, print, startServer } from './start-server.ts';

export interface Stage {
  url: string;
  /** The story's own client, with an admin key. */
  hp: Holdpoint;
  adminKey: string;
  /** A folder for files of the story. It is removed at the end. */
  folder: string;
  /** Starts a program of this story, with the address of the server and a key in its environment. */
  run(command: readonly [string, ...string[]], options?: RunOptions): Program;
  /** The pending question with this title, once an agent has asked it. */
  asked(title: string): Promise<Interaction>;
  /** A person answers the question with this title, once it is asked. */
  answer(title: string, values: FreeObject): Promise<Interaction>;
  decline(title: string, reason: string): Promise<Interaction>;
  /** Runs when the story has ended, successfully or not; the last first. */
  afterwards(cleanUp: () => unknown): void;
}

interface RunOptions extends Omit<ProgramOptions, 'folder' | 'env'> {
  env?: Record<string, string>;
  /** `admin` for a backend that mints tokens or registers webhooks. */
  key?: 'agent' | 'admin';
}

interface StoryOptions {
  /** For `holdpoint serve`; a server that HOLDPOINT_URL names has to have been started with them. */
  serverFlags?: readonly string[];
  /** Starts the story's own app, which contains Holdpoint, in place of a server. */
  app?(starting: Starting): Promise<string>;
  /** Long enough for any machine: it ends only a story that hangs. */
  atMostMs?: number;
}

/** Passed to `app`, which returns the address that the app has printed. */
interface Starting extends Pick<Stage, 'folder' | 'afterwards'> {
  run(command: readonly [string, ...string[]], options?: Partial<ProgramOptions>): Program;
}

const person = { type: 'human', id: 'kim' } as const;
export async function runStory(
  place: string,
  play: (stage: Stage) => Promise<void>,
  { serverFlags = [], app, atMostMs = 150_000 }: StoryOptions = {},
): Promise<void> {
  const ends: (() => unknown)[] = [];
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const limit = setTimeout(() => failure.reject(new Error('The story took too long.')), atMostMs);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => failure.reject(new Error(`Stopped by ${signal}.`)));
  let isOver = false;
  const afterwards = (cleanUp: () => unknown) => void ends.unshift(cleanUp);
  try {
    const folder = mkdtempSync(join(tmpdir(), 'holdpoint-story-'));
    afterwards(() => rmSync(folder, { recursive: true, force: true }));
    const { url, adminKey } = await Promise.race([app ? theApp(app, folder) : theServer(), failure.promise]);
    const hp = new Holdpoint({ url, key: adminKey });
    const agentKey = await hp.createApiKey({ name: 'the agent of a story', role: 'agent' });
    afterwards(() => hp.revokeApiKey({ keyId: agentKey.id }));
    const before = new Set((await pending(hp)).map(({ id }) => id));

    const asked = async (title: string): Promise<Interaction> => {
      while (!isOver) {
        const found = (await pending(hp)).find((each) => each.title === title && !before.has(each.id));
        if (found) return found;
        await sleep(50);
      }
      throw new Error(`“${title}” was not asked.`);
    };

    const stage: Stage = {
      ...{ url, hp, adminKey, folder, afterwards, asked },
      run(command, { env = {}, key = 'agent', ...options } = {}) {
        const ofKey =
          key === 'admin'
            ? { HOLDPOINT_API_KEY: adminKey }
            : { HOLDPOINT_API_KEY: '', HOLDPOINT_AGENT_KEY: agentKey.secret ?? '' };
        const environment = { HOLDPOINT_URL: url, ...ofKey, ...env };
        return start(command, { ...options, folder: place, env: environment });
      },
      async answer(title, values) {
        const question = await asked(title);
        print('person', `answers “${title}” with ${JSON.stringify(values)}`);
        return hp.answer(question, values, { responder: person });
      },
      async decline(title, reason) {
        const question = await asked(title);
        print('person', `declines “${title}”: ${reason}`);
        return hp.declineInteraction({ interactionId: question.id, reason, responder: person });
      },
    };
    await Promise.race([play(stage), failure.promise]);
    print('story', 'went as it should');
  } catch (error) {
    print('story', `went wrong: ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  } finally {
    isOver = true;
    clearTimeout(limit);
    for (const end of ends) await attempt(end);
  }

  function start(command: readonly [string, ...string[]], options: ProgramOptions): Program {
    const program = startProgram(command, options);
    afterwards(() => program.kill());
    program.output().catch(failure.reject);
    return program;
  }

  async function theApp(open: NonNullable<StoryOptions['app']>, folder: string) {
    const adminKey = newAdminKey();
    const ofTheApp = { PORT: '0', DATA: join(folder, 'data'), HOLDPOINT_API_KEY: adminKey };
    const run: Starting['run'] = (command, { env, ...options } = {}) =>
      start(command, { folder: place, name: 'app', ...options, env: { ...ofTheApp, ...env } });
    return { url: await open({ folder, afterwards, run }), adminKey };
  }

  async function theServer() {
    const { HOLDPOINT_URL: given, HOLDPOINT_API_KEY: key } = process.env;
    if (given && !key) throw new Error('HOLDPOINT_URL needs an admin key in HOLDPOINT_API_KEY.');
    if (given && key) return { url: given, adminKey: key };
    const adminKey = newAdminKey();
    const server = await startServer({ adminKey, flags: serverFlags });
    afterwards(() => server.stop());
    return { url: server.url, adminKey };
  }
}

async function attempt(cleanUp: () => unknown): Promise<void> {
  try {
    await cleanUp();
  } catch (error) {
    print('story', `clean-up failed: ${error}`);
    process.exitCode = 1;
  }
}

const pending = async (hp: Holdpoint): Promise<Interaction[]> =>
  (await hp.listInteractions({ status: 'pending', order: 'newest', limit: 100 })).data;
