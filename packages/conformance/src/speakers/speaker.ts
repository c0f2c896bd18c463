/** One who asks and answers in one dialect, knowing nothing of the others. */
import type { World } from '../world.ts';

export interface Asked {
  /** Of the interaction, which is the same in every dialect. */
  id: string;
  threadId: string;
}

/** What both sides mean, whatever it is called on the wire. */
export type Subject = 'choice' | 'text';

export const title = 'Go on?';
export const options = [
  { id: 'yes', label: 'Yes' },
  { id: 'no', label: 'No' },
];

export interface Speaker {
  name: string;
  ask(world: World, threadId: string, subject: Subject): Promise<Asked>;
  /** Looks at the question in its own dialect, then picks the option, or writes the text. */
  answer(world: World, asked: Asked, given: string): Promise<void>;
  /** What was answered, as this dialect tells it; undefined while it is open. */
  heard(world: World, asked: Asked): Promise<unknown>;
}
