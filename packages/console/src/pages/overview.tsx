/** The first page: how many wait and for how long, what was asked and what came of it, and how one begins. */

import { loadDemo } from '../demo/demo.ts';
import { useEvery } from '../every.ts';
import { useLoad } from '../load.ts';
import { Charts } from '../overview/charts.tsx';
import { DemoButton } from '../overview/demo-button.tsx';
import { figuresOf } from '../overview/figures.ts';
import { FirstSteps } from '../overview/first-steps.tsx';
import { Tiles } from '../overview/tiles.tsx';
import { WaitingLongest } from '../overview/waiting-longest.tsx';
import { Page } from '../parts/page.tsx';
import { Segments } from '../parts/segments.tsx';
import { Shown } from '../parts/states.tsx';
import { replaceQuery, useRoute } from '../route.ts';
import { service } from '../service.ts';

const spans = [
  { id: '24', title: '24 hours', words: 'in the last 24 hours' },
  { id: '168', title: '7 days', words: 'in the last 7 days' },
  { id: '720', title: '30 days', words: 'in the last 30 days' },
] as const;

const everyMs = 10_000;

export default function OverviewPage() {
  const { query } = useRoute();
  const span = spans.find(({ id }) => id === query.get('hours')) ?? spans[0];
  const overview = useLoad(() => service.getOverview({ hours: Number(span.id) }), [span.id]);
  const longest = useLoad(() => service.listInteractions({ status: 'pending', order: 'oldest', limit: 5 }), []);
  const demo = useLoad(loadDemo, []);
  useEvery(everyMs, overview.reload);
  useEvery(everyMs, longest.reload);
  // What is offered to who begins stands above the figures, so both are waited for.
  const isReady = demo.data !== undefined || demo.error !== undefined;
  const hasDemo = demo.data?.isOn === true;
  const figures = overview.data && figuresOf(overview.data);
  const isNew = figures !== undefined && figures.asked === 0 && overview.data?.pending === 0;
  return (
    <Page
      title="Overview"
      actions={
        <>
          {hasDemo && !isNew && <DemoButton />}
          <Segments
            legend="How far back"
            name="hours"
            options={spans}
            current={span.id}
            onChange={(id) => replaceQuery({ hours: id === '24' ? undefined : id })}
          />
        </>
      }
    >
      {isReady && isNew && <FirstSteps demo={demo.data} />}
      <Shown of={isReady ? overview : { ...overview, data: undefined }} rows={8}>
        {(data) => (
          <>
            <Tiles overview={data} figures={figuresOf(data)} span={span.words} />
            {data.isPartial && (
              <p class="hint">More was asked than is summed up here: these are the newest 10,000 of this time.</p>
            )}
            {!isNew && <Charts overview={data} figures={figuresOf(data)} span={span.words} />}
            {longest.data && longest.data.data.length > 0 && <WaitingLongest questions={longest.data.data} />}
          </>
        )}
      </Shown>
    </Page>
  );
}
