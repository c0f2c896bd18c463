/** Above a conversation of the demo: what it is, how its agent is, and what one can do to it. */
import { useState } from 'preact/hooks';
import { useEvery } from '../every.ts';
import { useLoad } from '../load.ts';
import { Icon } from '../parts/icon.tsx';
import { go, href } from '../route.ts';
import { toast } from '../toast.ts';
import { wordsFor } from '../words-for.ts';
import { beginDemo, type Demo, killAgent, leaveDemo, loadDemo } from './demo.ts';

const everyMs = 1_000;

export function DemoBar({ threadId }: { threadId: string }) {
  const { data: demo, error, reload } = useLoad(loadDemo, []);
  useEvery(everyMs, reload);
  const [isBusy, setBusy] = useState(false);
  const doing = (act: () => Promise<unknown>) => async () => {
    if (isBusy) return;
    setBusy(true);
    await act().catch((fault: unknown) => toast(wordsFor(fault), 'bad'));
    setBusy(false);
  };
  const startOver = doing(async () => {
    const begun = await beginDemo();
    go(href('threads', begun.threadId));
    await leaveDemo(threadId);
  });
  const kill = doing(async () => {
    await killAgent();
    reload();
  });
  if (demo?.isOn === false) return null;
  const isAlive = !error && demo?.state === 'running';
  return (
    <section class="demo-bar" aria-labelledby="demo-title">
      <span class="demo-icon">
        <Icon name="agent" />
      </span>
      <div class="demo-words">
        <h2 id="demo-title">This is the demo</h2>
        <p>
          An agent gets a release out, in a process of its own, by the same API as yours would. Answer what it asks, and
          kill it when you like: it goes on where it was.
        </p>
      </div>
      <p class={`demo-state ${error ? 'away' : (demo?.state ?? 'starting')}`} role="status">
        {error ? 'The server does not answer' : demo ? words(demo) : 'Looking for the agent…'}
      </p>
      <div class="actions">
        <button
          type="button"
          class="button small"
          aria-disabled={isBusy || !isAlive || undefined}
          onClick={() => isAlive && void kill()}
        >
          Kill the agent
        </button>
        <button type="button" class="button small" aria-disabled={isBusy || undefined} onClick={startOver}>
          Start over
        </button>
      </div>
    </section>
  );
}

function words({ state, pid }: Demo): string {
  switch (state) {
    case 'starting':
      return 'The agent is starting…';
    case 'running':
      return `The agent runs, as process ${pid}`;
    case 'killed':
      return 'Killed. It comes back by itself';
    case 'off':
      return 'The agent does not run: start over';
  }
}
