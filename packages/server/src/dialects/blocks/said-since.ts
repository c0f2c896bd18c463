/** What a run has said since the person last said or answered something, out of the log of its thread. */
import type { LogEvent, Message, Run } from '@holdpoint/protocol';
import { blocksOfMessage, type ShownBlock } from './to-blocks.ts';

/** One page of the log before the run's last input: what was said just before a sleep belongs to the same reply. */
export const firstSeq = ({ fromSeq, deliveredSeq }: Run, window: number): number =>
  Math.max(fromSeq, deliveredSeq - window) - 1;

export interface Said {
  blocks: ShownBlock[];
  /** Whether the run is over by here, so that nothing after it is its. */
  isOver: boolean;
}

export function saidSince(said: Said, run: Run, events: readonly LogEvent[]): Said {
  return events.reduce((before, event) => next(before, run, event), said);
}

function next({ blocks, isOver }: Said, run: Run, event: LogEvent): Said {
  if (isOver) return { blocks, isOver };
  // A run that is done again begins after what the first has said.
  if (event.type === 'run.started' && isOf(event, run)) return { blocks: [], isOver };
  if (event.seq <= run.deliveredSeq && isByPerson(event)) return { blocks: [], isOver };
  if (ends.has(event.type) && isOf(event, run)) return { blocks, isOver: true };
  const message = spoken(event);
  return { blocks: message ? [...blocks, ...blocksOfMessage(message)] : blocks, isOver };
}

const ends: ReadonlySet<string> = new Set(['run.completed', 'run.failed', 'run.cancelled']);

const isOf = ({ data }: LogEvent, { id }: Run): boolean => 'run' in data && data.run.id === id;

function isByPerson({ type, actor, data }: LogEvent): boolean {
  if (type === 'message.created') return data.message.role === 'user';
  return (type === 'interaction.answered' || type === 'interaction.declined') && actor.type === 'human';
}

/** What is being streamed is told once it is whole: who polls tells blocks apart by their ids, and would keep the half. */
function spoken({ type, data }: LogEvent): Message | undefined {
  if (type !== 'message.created' && type !== 'message.completed' && type !== 'message.cancelled') return undefined;
  const { message } = data;
  return message.role === 'agent' && message.state !== 'streaming' ? message : undefined;
}
