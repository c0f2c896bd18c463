/** What comes into a lane: inputs, and the news that somebody is typing. */
import type { DispatchSettings } from '@holdpoint/protocol';
import { hasWaiting, type Lane } from './lane.ts';

export interface Arrival {
  threadId: string;
  /** Of its thread now. */
  agent?: string | undefined;
  seq: number;
  at: number;
  /** Who has sent a message is not typing it any more. */
  isMessage: boolean;
}

/**
 * Inputs come in the order of the log, so one that is not beyond the last has come before. An input from a clock that
 * was ahead counts from now, or it would hold the lane up for as long as the clock was wrong.
 */
export function arrive(lane: Lane | undefined, arrival: Arrival, settings: DispatchSettings, now: number): Lane {
  const { threadId, seq, isMessage } = arrival;
  const agent = arrival.agent === undefined ? {} : { agent: arrival.agent };
  const at = Math.min(arrival.at, now);
  if (!lane) return { threadId, ...agent, settings, nextSeq: seq, lastSeq: seq, firstAt: at, lastAt: at };
  if (seq <= lane.lastSeq) return lane;
  const { typingUntil, agent: _before, ...rest } = lane;
  return {
    ...rest,
    ...agent,
    settings,
    ...(hasWaiting(lane) ? {} : { nextSeq: seq, firstAt: at }),
    lastSeq: seq,
    lastAt: at,
    ...(typingUntil === undefined || isMessage ? {} : { typingUntil }),
  };
}

/** The lane as it waits longer; undefined where typing makes no difference. */
export function extendByTyping(lane: Lane, now: number): Lane | undefined {
  const { mode, typingGraceMs } = lane.settings;
  if (mode !== 'batched_sequential' || !hasWaiting(lane)) return undefined;
  const typingUntil = now + typingGraceMs;
  return typingUntil > (lane.typingUntil ?? 0) ? { ...lane, typingUntil } : undefined;
}
