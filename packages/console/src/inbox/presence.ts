/** Reports that the user is viewing a request, and says who else is. */
import type { Actor } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useEvents, useEvery } from '../load.ts';
import { useMe } from '../me.ts';
import { reportViewing, type Viewing } from '../service.ts';

const repeatMs = 30_000;
/** A viewer whose browser stopped without a word is gone after this time: two reports and a few seconds. */
const goneMs = 65_000;
/** The server drops a change that comes sooner after the last one. */
const changeMs = 200;
/** The server publishes an equal report of one person once in five seconds. */
const equalMs = 5_500;

export interface Presence {
  viewers: readonly Actor[];
  /** Call it when the stream of the request has opened. Reports before that would miss the replies. */
  onOpen(): void;
  onViewing(viewing: Viewing): void;
}

export function usePresence(interactionId: string): Presence {
  const { person } = useMe();
  const [viewers, setViewers] = useState<ReadonlyMap<string, { by: Actor; at: number }>>(new Map());
  const reporting = useRef({ isOpen: false, at: 0, next: undefined as ReturnType<typeof setTimeout> | undefined });

  const report = (isViewing: boolean) => {
    clearTimeout(reporting.current.next);
    reporting.current.at = performance.now();
    reportViewing(interactionId, isViewing);
  };
  const reportNow = () => {
    if (reporting.current.isOpen) report(!document.hidden);
  };
  const leftOf = (ms: number) => Math.max(0, reporting.current.at + ms - performance.now());
  const reportSoon = (ms: number) => {
    clearTimeout(reporting.current.next);
    reporting.current.next = setTimeout(reportNow, leftOf(ms));
  };
  /** Replies to a viewer who has just come, and cannot know of the user. */
  const reply = () => {
    if (!document.hidden) reportSoon(equalMs);
  };

  useEvery(repeatMs, () => {
    const now = performance.now();
    setViewers((before) => new Map([...before].filter(([, { at }]) => now - at < goneMs)));
    reportNow();
  });
  useEvents(document, ['visibilitychange'], () => reportSoon(changeMs));
  useEvents(window, ['pagehide'], () => reporting.current.isOpen && report(false));
  useEffect(
    () => () => {
      clearTimeout(reporting.current.next);
      if (reporting.current.isOpen) setTimeout(() => reportViewing(interactionId, false), leftOf(changeMs));
    },
    [],
  );

  return {
    viewers: [...viewers.values()].map(({ by }) => by),
    onOpen() {
      reporting.current.isOpen = true;
      reportNow();
    },
    onViewing({ by, isViewing }) {
      const isOwn = by.type === 'human' && by.id === person.id;
      // Another tab of the user was closed, and this one is still open.
      if (isOwn) return isViewing ? undefined : reply();
      const key = `${by.type} ${by.id}`;
      if (isViewing && !viewers.has(key)) reply();
      setViewers((before) => {
        const after = new Map(before);
        if (isViewing) after.set(key, { by, at: performance.now() });
        else after.delete(key);
        return after;
      });
    },
  };
}
