/** A request that was really asked: followed from before it is, so that every event of it is seen as it comes. */
import type { Interaction, LogEvent } from '@holdpoint/protocol';
import { useEffect, useRef, useState } from 'preact/hooks';
import { followEvents } from '../service.ts';
import { wordsFor } from '../words-for.ts';
import { ask, type DialectName, threadFor } from './asking.ts';

export interface Live {
  interaction: Interaction | undefined;
  /** The newest first. */
  events: readonly LogEvent[];
  isAsking: boolean;
  fault: string;
  create(dialect: DialectName, body: object): void;
}

export function useLive(onAsked: () => void): Live {
  const [interaction, setInteraction] = useState<Interaction>();
  const [events, setEvents] = useState<readonly LogEvent[]>([]);
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState('');
  const stream = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stream.current?.abort(), []);

  async function create(dialect: DialectName, body: object): Promise<void> {
    if (isAsking) return;
    stream.current?.abort();
    const follow = new AbortController();
    stream.current = follow;
    setAsking(true);
    setFault('');
    setInteraction(undefined);
    setEvents([]);
    try {
      const threadId = await threadFor(dialect);
      await opened(threadId, follow.signal, (event) => setEvents((before) => [event, ...before]));
      const asked = await ask(dialect, threadId, body);
      if (asked.ok) {
        setInteraction(asked.interaction);
        onAsked();
      } else setFault(asked.detail);
    } catch (error) {
      setFault(wordsFor(error));
    }
    setAsking(false);
  }

  const own = events.filter(({ interactionId }) => interactionId === interaction?.id);
  return { interaction, events: interaction ? own : [], isAsking, fault, create: (...what) => void create(...what) };
}

/** Resolves once the stream is open. */
const opened = (threadId: string, signal: AbortSignal, onEvent: (event: LogEvent) => void): Promise<void> =>
  new Promise((resolve) => {
    followEvents(
      { threadId },
      (event) => onEvent(event as LogEvent),
      signal,
      () => resolve(),
    );
  });
