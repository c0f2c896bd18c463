/** The first page: key figures, charts, and the requests that have waited longest. */
import type { Interaction, Overview } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { loadDemo, noDemo } from '../demo/demo-bar.tsx';
import { useEvery, useLoad } from '../load.ts';
import { useMe } from '../me.ts';
import { Icon } from '../parts/icon.tsx';
import { briefTime, durationOf, kindWords, Time, VisibleText } from '../parts/inline.tsx';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { Segments } from '../parts/tabs.tsx';
import { href, useChoice } from '../route.ts';
import { service } from '../service.ts';
import { Charts, type Figures, figuresOf } from './charts.tsx';
import { DemoButton, FirstSteps } from './first-steps.tsx';

/** By the number of hours. */
const spans: Record<'24' | '168' | '720', string> = { 24: '24 hours', 168: '7 days', 720: '30 days' };

const everyMs = 10_000;

export default function OverviewPage() {
  const [hours, choose] = useChoice('hours', spans);
  const span = `in the last ${spans[hours]}`;
  const overview = useLoad(() => service.getOverview({ hours: Number(hours) }), [hours]);
  const longest = useLoad(() => service.listInteractions({ status: 'pending', order: 'oldest', limit: 5 }), []);
  const { isAdmin } = useMe();
  const demo = useLoad(async () => (isAdmin ? loadDemo() : noDemo), [isAdmin]);
  useEvery(everyMs, overview.reload);
  useEvery(everyMs, longest.reload);
  // First steps are shown above the figures, so the page waits for both.
  const isReady = demo.data !== undefined || demo.error !== undefined;
  const hasDemo = demo.data?.isOn === true;
  const figures = overview.data && figuresOf(overview.data);
  const isNew = figures?.created === 0 && overview.data?.pending === 0;
  return (
    <Page
      title="Overview"
      actions={
        <>
          {hasDemo && !isNew && <DemoButton />}
          <Segments legend="Time span" name="hours" options={spans} current={hours} onChange={choose} />
        </>
      }
    >
      {isReady && isNew && isAdmin && <FirstSteps demo={demo.data} />}
      <Shown of={isReady ? overview : { ...overview, data: undefined }} rows={8}>
        {(data) => (
          <>
            <Tiles overview={data} figures={figuresOf(data)} span={span} />
            {data.isPartial && <p class="hint">The figures cover only the newest 10,000 requests of this time span.</p>}
            {!isNew && <Charts overview={data} figures={figuresOf(data)} span={span} />}
            {longest.data && longest.data.data.length > 0 && <OldestPending requests={longest.data.data} />}
          </>
        )}
      </Shown>
    </Page>
  );
}

/** The server stops counting here. */
const mostCounted = 10_000;

function Tiles({ overview, figures, span }: { overview: Overview; figures: Figures; span: string }) {
  const { pending, oldestPendingAt } = overview;
  const { created, answered, typicalWaitMs } = figures;
  const count = (number: number) => number.toLocaleString('en');
  const link = <a href={href('inbox')}>Open inbox</a>;
  return (
    <dl class="tiles">
      <Tile
        name="Pending"
        figure={count(pending) + (pending >= mostCounted ? '+' : '')}
        note={pending > 0 ? link : 'Nothing to answer'}
      />
      <Tile
        name="Oldest pending"
        figure={oldestPendingAt ? ageOf(oldestPendingAt) : '–'}
        note={oldestPendingAt ? `since ${briefTime(oldestPendingAt)}` : 'No pending requests'}
      />
      <Tile name="Requests" figure={count(created)} note={span} />
      <Tile
        name="Answered"
        figure={count(answered)}
        note={created > 0 ? `${Math.round((answered / created) * 100)} % of requests` : span}
      />
      <Tile
        name="Median time"
        figure={typicalWaitMs === undefined ? '–' : durationOf(typicalWaitMs)}
        note="to answer"
      />
    </dl>
  );
}

const ageOf = (at: string): string => durationOf(Math.max(0, Date.now() - Date.parse(at)));

const Tile = ({ name, figure, note }: { name: string; figure: string; note: ComponentChildren }) => (
  <div class="tile">
    <dt>{name}</dt>
    <dd class="tile-figure number">{figure}</dd>
    <dd class="tile-note">{note}</dd>
  </div>
);

function OldestPending({ requests }: { requests: readonly Interaction[] }) {
  return (
    <section class="card" aria-labelledby="longest-title">
      <header class="card-head">
        <h2 id="longest-title">Oldest pending requests</h2>
        <a href={href('inbox')}>View all</a>
      </header>
      <ul class="rows">
        {requests.map(({ id, title, kind, createdAt, deadline }) => (
          <li key={id}>
            <a class="row row-link longest" href={href('inbox', id)}>
              <span class="cell-main clip">
                <VisibleText text={title} />
              </span>
              <span class="longest-kind muted">{kindWords[kind]}</span>
              <span class="longest-due">
                {deadline && 'due '}
                {deadline && <Time at={deadline.at} />}
              </span>
              <span class="longest-wait number" title={new Date(createdAt).toLocaleString()}>
                {ageOf(createdAt)}
              </span>
              <Icon name="more" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
