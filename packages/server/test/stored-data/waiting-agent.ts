/** A durable agent whose run waits on a question without a name while the data is copied. */
import { agent } from '@holdpoint/agents';
import { form, select } from '@holdpoint/protocol';

export default agent('deployer', async (ctx) => {
  await ctx.message();
  const build = await ctx.step('build', async () => 'build-7');
  await ctx.say(`Built ${build}`);
  const outcome = await ctx.ask(form({ env: select(['prod', 'test']) }, { title: `Where to deploy ${build}?` }));
  if (outcome.status !== 'answered') return outcome.status;
  await ctx.say(`Deploying to ${outcome.values.env}`);
  return [build, outcome.values.env];
});
