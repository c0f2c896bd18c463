/** Asks ten questions, with a side effect after each: a line in a file, under a key that stays the same. */
import { appendFile } from 'node:fs/promises';
import { agent } from '@holdpoint/agents';
import { form, text } from '@holdpoint/protocol';

const effects = process.env.EFFECTS_FILE ?? '';

export default agent('ten-questions', async (ctx) => {
  const answers: unknown[] = [];
  for (let n = 1; n <= 10; n++) {
    const outcome = await ctx.ask(form({ reply: text() }, { title: `Question ${n}` }), { name: `question ${n}` });
    if (outcome.status === 'answered') answers.push(outcome.values.reply);
    await ctx.step(`effect ${n}`, async ({ idempotencyKey }) => {
      await appendFile(effects, `${idempotencyKey}\n`);
      return n;
    });
    await ctx.say(`Heard ${n}`);
  }
  return answers;
});
