/** The agent that visitors of a page talk to: what is said first decides what happens. */
import { agent } from '@holdpoint/agents';
import {
  cardChoice,
  checkbox,
  choice,
  confirm,
  date,
  divider,
  email,
  fileUpload,
  form,
  heading,
  imageUpload,
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

const everything = form(
  {
    about: heading('About you'),
    help: paragraph('So that we can send it back.'),
    line: divider(),
    name: text({ label: 'Name' }),
    story: textarea({ label: 'What happened?' }),
    mail: email({ label: 'Email' }),
    phone: tel({ label: 'Phone' }),
    site: url({ label: 'Website' }),
    count: number({ label: 'How many?', min: 1 }),
    day: date({ label: 'Bought on' }),
    news: checkbox({ label: 'Tell me about news' }),
    size: select(['small', 'large'], { label: 'Size' }),
    colour: radio(['red', 'blue'], { label: 'Colour' }),
    parts: multiSelect(['lid', 'box', 'cable'], { label: 'Parts' }),
    stars: rating({ label: 'Rating', maxStars: 4, ratingIcon: 'heart' }),
    bill: fileUpload({ label: 'Bill', accept: ['.txt', 'text/plain'], maxSizeMb: 1 }),
    photos: imageUpload({ label: 'Photos', multiple: true }),
    signed: signature({ label: 'Signature', canvasWidth: 300, canvasHeight: 100 }),
  },
  { title: 'Return an order', submitLabel: 'Send it back' },
);

const plan = cardChoice({
  title: 'Plan B',
  text: 'Cheaper',
  actions: [
    { label: 'Take it', value: 'take' },
    { label: 'Read more', url: 'https://example.com/b' },
  ],
});

export default agent('visit', async (ctx) => {
  const { blocks } = await ctx.message();
  switch (blocks[0]?.payload.text) {
    case 'Return an order': {
      await ctx.say([
        { type: 'message', payload: { text: 'We are **sorry** to hear that.', format: 'markdown' } },
        { type: 'card', payload: {} },
        { type: 'link', payload: { label: 'Our terms', url: 'https://example.com/terms' } },
      ]);
      const given = await ctx.ask(everything);
      return ctx.say(given.status === 'answered' ? `Thank you, ${given.values.name}.` : given.status);
    }
    case 'choose': {
      const one = await ctx.ask(choice(['tea', 'coffee'], { title: 'What do you drink?', body: 'It is *free*.' }));
      const many = await ctx.ask(choice(['sugar', 'milk'], { title: 'With?', multiple: true }));
      const taken = await ctx.ask(plan);
      const sure = await ctx.ask(form({ sure: confirm({ label: 'Really?' }) }, { title: 'Last one' }));
      const all = [one, many, taken, sure];
      return ctx.say(all.map((each) => JSON.stringify('values' in each ? each.values : each.status)).join(' '));
    }
    case 'talk': {
      await ctx.say('About what?');
      const next = await ctx.message();
      return ctx.say(`So, ${next.blocks[0]?.payload.text}.`);
    }
    default:
      throw new Error('the reason is nobody’s business');
  }
});
