/** The demo: start it, watch its agent, kill it, start over. */
import type { Thread } from '@holdpoint/protocol';
import { useEvery, useLoad } from '../load.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Icon } from '../parts/icon.tsx';
import { go, href } from '../route.ts';
import { consoleFetch, postJson, service } from '../service.ts';

export interface Demo {
  isOn: boolean;
  /** killed: the server restarts it. */
  state: 'off' | 'starting' | 'running' | 'killed';
  /** The conversation of the latest demo. */
  threadId?: string;
  /** The process id of the agent. */
  pid?: number;
}

/** The demo stores its origin in each of its threads. Another agent of the same name does not. */
export const isOfDemo = ({ agent, metadata }: Thread): boolean =>
  agent === 'release-manager' && typeof metadata?.origin === 'string';

export const noDemo: Demo = { isOn: false, state: 'off' };

/** A server without a demo does not have this path. */
export async function loadDemo(): Promise<Demo> {
  const reply = await consoleFetch('/console/demo');
  return reply.ok ? ((await reply.json()) as Demo) : noDemo;
}

export const beginDemo = (): Promise<{ threadId: string }> => send('/console/demo', 'Could not start the demo.');

/** Cancels the runs of the conversation that the user leaves, because they would ask further questions. */
async function leaveDemo(threadId: string): Promise<void> {
  const { data } = await service.listRuns({ threadId, limit: 20 });
  for (const { id, endedAt } of data)
    if (endedAt === undefined) await service.cancelRun({ runId: id, reason: 'The demo was restarted.' });
}

async function send<T>(path: string, fault: string): Promise<T> {
  const reply = await postJson(path, {});
  if (reply.ok) return (await reply.json()) as T;
  const { detail } = (await reply.json().catch(() => ({}))) as { detail?: string };
  throw new Error(detail ?? fault);
}

const everyMs = 1_000;

/** The bar above a conversation of the demo. */
export function DemoBar({ threadId }: { threadId: string }) {
  const { data: demo, error, reload } = useLoad(loadDemo, []);
  useEvery(everyMs, reload);
  const [run, isBusy] = useAction((act: () => Promise<unknown>) => act());
  const startOver = async () => {
    go(href('threads', (await beginDemo()).threadId));
    await leaveDemo(threadId);
  };
  if (demo?.isOn === false) return null;
  const isAlive = !error && demo?.state === 'running';
  return (
    <section class="demo-bar" aria-labelledby="demo-title">
      <span class="demo-icon">
        <Icon name="agent" />
      </span>
      <div class="demo-words">
        <h2 id="demo-title">Demo</h2>
        <p>
          A demo agent releases a new version. It runs in its own process and uses the public API. Answer its requests,
          and kill it at any time: it continues where it was.
        </p>
      </div>
      <p class={`demo-state ${error ? 'away' : (demo?.state ?? 'starting')}`} role="status">
        {error ? 'Could not reach the server' : demo ? stateWords[demo.state] + (isAlive ? demo.pid : '') : 'Loading…'}
      </p>
      <div class="actions">
        <Button
          text="Kill agent"
          look="small"
          isOff={isBusy || !isAlive}
          onClick={() => isAlive && run(() => send('/console/demo/kill', 'Could not kill the agent.').then(reload))}
        />
        <Button text="Start over" look="small" isOff={isBusy} onClick={() => run(startOver)} />
      </div>
    </section>
  );
}

const stateWords: Record<Demo['state'], string> = {
  starting: 'Agent starting…',
  running: 'Agent running as process ',
  killed: 'Agent killed. It restarts automatically.',
  off: 'Agent stopped. Start over to run it.',
};
