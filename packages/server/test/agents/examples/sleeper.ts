/** Sleeps for ten weeks, then says so. */
import { agent } from '@holdpoint/agents';

export const sleeper = agent('sleeper', async (ctx) => {
  const before = await ctx.now();
  await ctx.sleep(70 * 24 * 3_600_000);
  await ctx.say('Good morning');
  return (await ctx.now()).getTime() - before.getTime();
});
