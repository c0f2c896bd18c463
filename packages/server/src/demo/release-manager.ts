/**
 * The agent of the demo: gets a release out of the door, and asks where a person has to decide. It is written as anybody's
 * would be: over the public API, in a process of its own, which may be killed at any time.
 */
import { type Agent, type AgentContext, agent, type Outcome } from '@holdpoint/agents';
import { announce } from './announce.ts';
import { type DemoWorld, demoAgent } from './demo-world.ts';
import {
  askForApproval,
  askForDetails,
  askForSignature,
  askWhatNow,
  type Details,
  type Plan,
} from './release-questions.ts';
import { greeting, killMe, stopped, summary } from './release-words.ts';
import { prepare, rollOut } from './roll-out.ts';

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
  if (signed.status !== 'answered') return stop(ctx, signed, 'It is rolled out, but nobody has signed for it.');
  const announced = await announce(ctx, plan, world);
  await ctx.say(summary({ plan, rolledOut, signed, announced }));
  return 'released';
}

/** Details and an approval of them; whoever says no may change them. */
async function settlePlan(ctx: AgentContext): Promise<Plan | string> {
  for (let details: Details | undefined; ; ) {
    const outcome = await askForDetails(ctx, details);
    if (outcome.status !== 'answered')
      return stop(ctx, outcome, 'Then there is no release today, and nothing was changed.');
    details = outcome.values;
    const { approved, arguments: args, edited, outcome: decision } = await askForApproval(ctx, details);
    if (approved && decision.status === 'answered') return { details, args, edited, approvedBy: decision.answer.by.id };
    if (decision.status !== 'declined') return stop(ctx, decision, 'Nothing was changed.');
    const next = await askWhatNow(ctx, decision.reason);
    if (next !== 'change') return stop(ctx, decision, 'Nothing was changed.');
  }
}

async function stop(ctx: AgentContext, outcome: Outcome<unknown>, words: string): Promise<string> {
  await ctx.say(stopped(outcome, words));
  return `stopped: ${outcome.status}`;
}
