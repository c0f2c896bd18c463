/** An agent that does a little of everything, asks, and says when it went on: by the clock that every process here shares. */
import { agent } from '@holdpoint/agents';
import { form, text } from '@holdpoint/protocol';

export default agent('waiting', async (ctx) => {
  await ctx.message();
  await ctx.step('look', () => ({ found: true }));
  await ctx.say('One question');
  await ctx.ask(form({ reply: text() }, { title: 'Go on?' }));
  return { wentOnMs: Number(process.hrtime.bigint()) / 1e6 };
});
