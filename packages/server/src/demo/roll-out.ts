/** The work of the demo: slow steps with progress messages. Each is done once, even if the agent is killed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentContext } from '@holdpoint/agents';
import type { DemoWorld, Plan } from './release-questions.ts';

export interface RolledOut {
  regions: readonly string[];
  /** The process ids of the agents that worked on it, in order. */
  processes: number[];
}

const regions = ['Frankfurt', 'Ohio', 'Singapore'] as const;
const buildMs = 1_000;
const partMs = 1_400;

type Pace = Pick<DemoWorld, 'pace'>;

export async function prepare(ctx: AgentContext, { details }: Plan, { pace }: Pace): Promise<void> {
  await ctx.say(async function* () {
    yield `Preparing ${details.version}:`;
    for (const done of ['built', '412 tests passed', 'image signed']) {
      await sleep(buildMs * pace);
      yield ` ${done}${done === 'image signed' ? '.' : ','}`;
    }
  });
}

/** If the agent is killed during a region, the next process reads from the journal what is done. */
export async function rollOut(ctx: AgentContext, { args }: Plan, { pace }: Pace): Promise<RolledOut> {
  const processes: number[] = [];
  const step = Math.max(5, Number(args.percentPerStep) || 25);
  for (const region of regions) {
    const begunBy = await ctx.step(`begin ${region}`, () => process.pid);
    const doneBy = await ctx.say(async function* () {
      yield `${region}: 0%`;
      for (let percent = step; percent < 100 + step; percent += step) {
        // A region takes the same time for any step size.
        await sleep(((4 * partMs * step) / 100) * pace);
        yield `, ${Math.min(percent, 100)}%`;
      }
      return process.pid;
    });
    processes.push(begunBy, doneBy);
    if (begunBy !== doneBy) await ctx.say({ markdown: takenOver(region, begunBy, doneBy) });
  }
  return { regions, processes: processes.filter((pid, index) => pid !== processes[index - 1]) };
}

const takenOver = (region: string, begunBy: number, doneBy: number): string =>
  `You killed me: process ${begunBy} began **${region}**, and process ${doneBy} finished it. My journal showed which steps were done. I repeated none of them and restarted only the unfinished one.`;
