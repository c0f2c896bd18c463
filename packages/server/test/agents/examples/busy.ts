/** Makes every kind of call, some of them at the same time. Each attempt of a step writes a line and gives a value of its own. */
import { randomUUID } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { agent, type StepInfo } from '@holdpoint/agents';
import { form, text } from '@holdpoint/protocol';

const effects = process.env.EFFECTS_FILE ?? '';

async function effect({ idempotencyKey }: StepInfo): Promise<string> {
  const value = randomUUID();
  await appendFile(effects, `${idempotencyKey} ${value}\n`);
  return value;
}

export default agent('busy', async (ctx) => {
  await ctx.message();
  await ctx.say('Started');
  const parts = await Promise.all(
    ['a', 'b'].map(async (part) => {
      const value = await ctx.step(`prepare ${part}`, effect);
      const outcome = await ctx.ask(form({ reply: text() }, { title: `Question ${part}` }));
      await ctx.say(`Heard ${part}`);
      return [value, outcome.status === 'answered' ? outcome.values.reply : outcome.status];
    }),
  );
  await ctx.sleep(50);
  const pieces = await ctx.say(async function* () {
    yield 'Streamed ';
    yield 'to the end';
    return 2;
  });
  const { approved } = await ctx.approve({ title: 'Finish?' });
  const last = await ctx.step('finish', effect);
  await ctx.say('Finished');
  return { parts, pieces, approved, last };
});
