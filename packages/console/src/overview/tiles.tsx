/** The figures that one looks for first. */
import type { Overview } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { briefTime, durationOf } from '../parts/time.tsx';
import { href } from '../route.ts';
import type { Figures } from './figures.ts';

/** Counting stops here. */
const mostCounted = 10_000;

export function Tiles({ overview, figures, span }: { overview: Overview; figures: Figures; span: string }) {
  const { pending, oldestPendingAt } = overview;
  const { asked, answered, typicalWaitMs } = figures;
  return (
    <dl class="tiles">
      <Tile name="Waiting now" note={pending > 0 ? <a href={href('inbox')}>Open the inbox</a> : 'Nothing to answer'}>
        {pending.toLocaleString('en')}
        {pending >= mostCounted && '+'}
      </Tile>
      <Tile name="Oldest waiting" note={oldestPendingAt ? `since ${briefTime(oldestPendingAt)}` : 'Nobody waits'}>
        {oldestPendingAt ? durationOf(Math.max(0, Date.now() - Date.parse(oldestPendingAt))) : '–'}
      </Tile>
      <Tile name="Asked" note={span}>
        {asked.toLocaleString('en')}
      </Tile>
      <Tile name="Answered" note={asked > 0 ? `${Math.round((answered / asked) * 100)} % of what was asked` : span}>
        {answered.toLocaleString('en')}
      </Tile>
      <Tile name="Typical wait" note="until somebody answers">
        {typicalWaitMs === undefined ? '–' : durationOf(typicalWaitMs)}
      </Tile>
    </dl>
  );
}

function Tile({ name, note, children }: { name: string; note: ComponentChildren; children: ComponentChildren }) {
  return (
    <div class="tile">
      <dt>{name}</dt>
      <dd class="tile-figure number">{children}</dd>
      <dd class="tile-note">{note}</dd>
    </div>
  );
}
