/** The questions that have waited longest, each a click away from its answer. */
import type { Interaction } from '@holdpoint/protocol';
import { Icon } from '../parts/icon.tsx';
import { durationOf, Time } from '../parts/time.tsx';
import { VisibleText } from '../parts/visible-text.tsx';
import { href } from '../route.ts';

export function WaitingLongest({ questions }: { questions: readonly Interaction[] }) {
  return (
    <section class="card" aria-labelledby="longest-title">
      <header class="card-head">
        <h2 id="longest-title">Waiting longest</h2>
        <a href={href('inbox')}>All that wait</a>
      </header>
      <ul class="rows">
        {questions.map(({ id, title, kind, createdAt, deadline }) => (
          <li key={id}>
            <a class="row row-link longest" href={href('inbox', id)}>
              <span class="cell-main clip">
                <VisibleText text={title} />
              </span>
              <span class="longest-kind muted">{kind}</span>
              <span class="longest-due">
                {deadline && (
                  <>
                    ends <Time at={deadline.at} />
                  </>
                )}
              </span>
              <span class="longest-wait number" title={new Date(createdAt).toLocaleString()}>
                {durationOf(Math.max(0, Date.now() - Date.parse(createdAt)))}
              </span>
              <Icon name="more" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
