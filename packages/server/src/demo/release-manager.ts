import { setTimeout as sleep } from 'node:timers/promises';
import { type Agent, type AgentContext, agent, type Outcome } from '@holdpoint/agents';
import { choice } from '@holdpoint/protocol';
import {
  type Announced,
  askForApproval,
  askForDetails,
  askForSignature,
  askWhatNow,
  type DemoWorld,
  type Details,
  demoAgent,
  type Plan,
} from './release-questions.ts';
import { colleaguesLink, greeting, killMe, type RolledOut, stopped, summary } from './release-words.ts';

/**
 * The demo agent: releases a version and asks a person at each decision. It uses the public API from a process of its
 * own, like any agent, and may be killed at any time.
 */
export const releaseManager = (world: DemoWorld): Agent => agent(demoAgent, (ctx) => release(ctx, world));

async function release(ctx: AgentContext, world: DemoWorld): Promise<string> {
  const origin = await ctx.step('where am I', () => world.originOf(ctx.threadId));
  await ctx.say(greeting({ origin, runId: ctx.runId }));
  const plan = await settlePlan(ctx);
  if (typeof plan === 'string') return plan;
  await prepare(ctx, plan, world);
  await ctx.say(killMe);
  const rolledOut = await rollOut(ctx, plan, world);
  const signed = await askForSignature(ctx, plan);
  if (signed.status !== 'answered') return stop(ctx, signed, 'The version is rolled out, but nobody signed it off.');
  const announced = await announce(ctx, plan, world);
  await ctx.say(summary({ plan, rolledOut, signed, announced }));
  return 'released';
}

/** Gets the details and their approval. A user who denies may change the details. */
async function settlePlan(ctx: AgentContext): Promise<Plan | string> {
  for (let details: Details | undefined; ; ) {
    const outcome = await askForDetails(ctx, details);
    if (outcome.status !== 'answered') return stop(ctx, outcome, 'There is no release today. Nothing was changed.');
    details = outcome.values;
    const { approved, arguments: args, edited, outcome: decision } = await askForApproval(ctx, details);
    if (approved && decision.status === 'answered')
      return { details, args, edited, approvedBy: decision.answer.by.name ?? decision.answer.by.id };
    if (decision.status !== 'declined') return stop(ctx, decision, 'Nothing was changed.');
    const next = await askWhatNow(ctx, decision.reason);
    if (next !== 'change') return stop(ctx, decision, 'Nothing was changed.');
  }
}

async function stop(ctx: AgentContext, outcome: Outcome<unknown>, words: string): Promise<string> {
  await ctx.say(stopped(outcome, words));
  return `stopped: ${outcome.status}`;
}

const decideMs = 180_000;

/** The last request: two people must agree, or a deadline decides. */
async function announce(ctx: AgentContext, { details }: Plan, world: DemoWorld): Promise<Announced> {
  const at = new Date((await ctx.now()).getTime() + decideMs).toISOString();
  const question = choice(
    [
      { value: 'now', label: 'Announce now', variant: 'primary' },
      { value: 'tomorrow', label: 'Tomorrow morning' },
    ],
    {
      title: `Tell all customers about ${details.version} now?`,
      body: 'Two people must choose the same. If they do not agree within three minutes, the announcement goes out tomorrow morning.',
      resolution: { mode: 'quorum', count: 2 },
      recommendations: { choice: 'tomorrow' },
      deadline: { at, outcome: 'recommended' },
    },
  );
  const [outcome] = await Promise.all([ctx.ask(question, { name: 'announce' }), inviteColleague(ctx, world)]);
  return outcome;
}

/** Runs while the request is pending, because the agent learns its id only when it closes. */
async function inviteColleague(ctx: AgentContext, { service, linkFor }: DemoWorld): Promise<void> {
  const url = await ctx
    .step('link', async () => {
      const asked = { threadId: ctx.threadId, runId: ctx.runId, status: 'pending', limit: 1 } as const;
      const [question] = (await service.listInteractions(asked)).data;
      if (!question) throw new Error('The request does not exist yet, or it is closed.');
      return linkFor(question.id);
    })
    .catch(() => undefined);
  if (url !== undefined) await ctx.say(colleaguesLink(url));
}

const regions = ['Frankfurt', 'Ohio', 'Singapore'] as const;
const buildMs = 1_000;
const partMs = 1_400;

type Pace = Pick<DemoWorld, 'pace'>;

async function prepare(ctx: AgentContext, { details }: Plan, { pace }: Pace): Promise<void> {
  await ctx.say(async function* () {
    yield `Preparing ${details.version}:`;
    for (const done of ['built', '412 tests passed', 'image signed']) {
      await sleep(buildMs * pace);
      yield ` ${done}${done === 'image signed' ? '.' : ','}`;
    }
  });
}

/** If the agent is killed during a region, the next process reads from the journal what is done. */
async function rollOut(ctx: AgentContext, { args }: Plan, { pace }: Pace): Promise<RolledOut> {
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
