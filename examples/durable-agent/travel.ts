/** An agent that continues after its `await` in spite of crashes. */
import { agent } from '@holdpoint/agents';
import { date, form, select } from '@holdpoint/protocol';

export default agent('travel', async (ctx) => {
  const plan = await ctx.ask(form({ to: select(['Lisbon', 'Oslo']), on: date() }, { title: 'Where to, and when?' }));
  if (plan.status !== 'answered') return ctx.say('Another time, then.');
  const { to, on } = plan.values;

  // Runs once and its result is stored: the offer is the same after a crash.
  const offer = await ctx.step('find an offer', () => ({ to, on, price: 180 + Math.floor(Math.random() * 100) }));

  const { approved } = await ctx.approve({ title: 'Book this flight?', arguments: offer });
  if (!approved) return ctx.say('Not booked.');

  await ctx.step('book', ({ idempotencyKey }) => console.log(`booking ${to} on ${on}, as ${idempotencyKey}`));
  return ctx.say(`Booked: ${to} on ${on} for ${offer.price} €.`);
});
