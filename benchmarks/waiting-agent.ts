/** An agent that makes each kind of call, asks, and reports when it continued, by the clock that all processes share. */
import { agent } from '@holdpoint/agents';
import { form, text } from '@holdpoint/protocol';

export default agent('waiting', async (ctx) => {
  await ctx.message();
  await ctx.step('look', () => ({ found: true }));
  await ctx.say('One question');
  await ctx.ask(form({ reply: text() }, { title: 'Go on?' }));
  return { wentOnMs: Number(process.hrtime.bigint()) / 1e6 };
});
