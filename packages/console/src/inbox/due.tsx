/** When something is due, louder the nearer it is. */
import { agoOf, exactTime } from '../parts/time.tsx';

const soonMs = 3_600_000;

export function Due({ at, now = Date.now() }: { at: string; now?: number }) {
  const left = Date.parse(at) - now;
  return (
    <time class={left < soonMs ? 'due soon' : 'due'} dateTime={at} title={`Due ${exactTime(at)}`}>
      <span class="visually-hidden">Due </span>
      {left <= 0 ? 'now' : agoOf(at, now)}
    </time>
  );
}
