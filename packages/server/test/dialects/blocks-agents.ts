/** Agents that a widget talks to in the tests of the blocks dialect: what is said first decides what happens. */
import { type Agent, type AgentContext, agent } from '@holdpoint/agents';
import {
  cardChoice,
  checkbox,
  choice,
  date,
  divider,
  email,
  fileUpload,
  form,
  heading,
  imageUpload,
  type Message,
  multiSelect,
  number,
  paragraph,
  radio,
  rating,
  select,
  signature,
  tel,
  text,
  textarea,
  url,
} from '@holdpoint/protocol';

const textOf = ({ blocks }: Message): string => String(blocks[0]?.payload.text);

/** Posts the outcome of a question, so that a test sees what the agent saw. */
async function echo(ctx: AgentContext, outcome: { status: string; values?: unknown }): Promise<void> {
  await ctx.say(JSON.stringify({ status: outcome.status, values: outcome.values }));
}

const everyField = form(
  {
    about: heading('About you'),
    help: paragraph('All of it is optional but your name.'),
    line: divider(),
    name: text(),
    story: textarea({ required: false, rows: 4 }),
    mail: email({ required: false }),
    phone: tel({ required: false }),
    site: url({ required: false }),
    age: number({ required: false, min: 18 }),
    day: date({ required: false }),
    news: checkbox({ required: false }),
    size: select(['s', 'm'], { required: false }),
    colour: radio([{ value: 'r', label: 'Red' }], { required: false }),
    toppings: multiSelect(['ham', 'olives'], { required: false }),
    stars: rating({ required: false, maxStars: 4, ratingIcon: 'heart' }),
    report: fileUpload({ required: false, accept: ['.csv', 'text/plain'], maxSizeMb: 2, retention: 'transient' }),
    photos: imageUpload({ required: false, multiple: true }),
    signed: signature({ required: false, canvasWidth: 400, canvasHeight: 150 }),
  },
  { title: 'Sign up', submitLabel: 'Join' },
);

const lateOrder = form({
  reason: select(['late', 'broken']),
  days: number({ visibleIf: { all_of: [{ field: 'reason', op: 'equals', value: 'late' }] } }),
  note: text({ required: false, visibleIf: { all_of: [{ field: 'days', op: 'not_empty' }] } }),
});

const flows: Record<string, (ctx: AgentContext) => Promise<unknown>> = {
  async hello(ctx) {
    await ctx.say('Hello.');
    await ctx.say({ markdown: '**What** now?' });
  },
  async nothing() {},
  async blocks(ctx) {
    await ctx.say([
      { type: 'link', payload: { label: 'Shop', url: 'https://acme.com/shop' } },
      { type: 'image', payload: { url: 'https://acme.com/cat.png', alt: 'A cat', width: 200, height: 100 } },
      { type: 'link', payload: { label: 'Bad', url: 'javascript:alert(1)' } },
      { type: 'hologram', payload: { depth: 3 }, meta: { source: 'test' } },
    ]);
    await ctx.say(async function* () {
      yield 'Piece ';
      yield 'by piece';
    });
  },
  async malformed(ctx) {
    await ctx.say([{ type: 'card', payload: {} }]);
    await ctx.say([
      { type: 'card', payload: { title: ' ', text: 7, image: 'javascript:alert(1)', actions: [{ label: 'Nowhere' }] } },
      { type: 'link', payload: { label: 'Nowhere' } },
      { type: 'image', payload: { alt: 'Nothing' } },
      { type: 'message', payload: { text: 'Still here' } },
    ]);
  },
  async form(ctx) {
    await ctx.say('Please fill this in.');
    await echo(ctx, await ctx.ask(everyField));
  },
  async late(ctx) {
    await echo(ctx, await ctx.ask(lateOrder));
  },
  async choice(ctx) {
    await echo(ctx, await ctx.ask(choice(['a', { value: 'b', label: 'B' }], { title: 'Which?' })));
    await echo(ctx, await ctx.ask(choice(['x', 'y'], { multiple: true })));
  },
  async card(ctx) {
    const actions = [
      { label: 'Take it', value: 'take' },
      { label: 'Read more', url: 'https://acme.com/b' },
    ] as const;
    await echo(
      ctx,
      await ctx.ask(cardChoice({ title: 'Plan B', text: 'Cheaper', image: 'https://acme.com/b.png', actions })),
    );
  },
  async both(ctx) {
    const asked = [ctx.ask(choice(['a', 'b'])), ctx.ask(form({ doc: fileUpload() }))];
    await echo(ctx, { status: (await Promise.all(asked)).map(({ status }) => status).join() });
  },
  async soon(ctx) {
    const deadline = { at: new Date((await ctx.now()).getTime() + 60_000).toISOString(), outcome: 'expire' as const };
    await echo(ctx, await ctx.ask(choice(['a', 'b'], { deadline })));
  },
  async sleep(ctx) {
    await ctx.say('Before');
    await ctx.sleep(60_000);
    await ctx.say('After');
  },
  async staff(ctx) {
    await echo(ctx, await ctx.ask(choice(['a', 'b'], { responder: { type: 'human', assignees: ['boss'] } })));
  },
  async talk(ctx) {
    await ctx.say('And then?');
    await ctx.say(`You said ${textOf(await ctx.message())}`);
  },
  async context(ctx) {
    await ctx.say('ready');
    const { metadata } = await ctx.message();
    await ctx.say(JSON.stringify(metadata ?? null));
  },
  async fail() {
    throw new Error('the secret reason');
  },
};

export const shop: Agent = agent('shop', async (ctx) => {
  const flow = flows[textOf(await ctx.message())];
  return flow ? flow(ctx) : ctx.say('What?');
});
