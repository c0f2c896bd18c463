/** One thing a server must do, under a name of its own. */
import type { World } from './world.ts';

export const suites = [
  'native',
  'chat-requests',
  'chat-requests-beyond',
  'input-requests',
  'mcp',
  'agent-service',
  'blocks',
  'cross',
] as const;
export type Suite = (typeof suites)[number];

export interface Case {
  suite: Suite;
  name: string;
  run(world: World): Promise<void>;
}

/** Cases of one suite, from a table of names. */
export const casesOf = (suite: Suite, table: Record<string, Case['run']>): Case[] =>
  Object.entries(table).map(([name, run]) => ({ suite, name, run }));
