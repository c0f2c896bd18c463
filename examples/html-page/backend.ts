/** A backend without a framework: it asks the customer, and puts the widget with the customer's token into a page. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { form, Holdpoint, radio, text, time } from '@holdpoint/client';

const { HOLDPOINT_URL: server = '', HOLDPOINT_API_KEY: key = '', PORT = '8080' } = process.env;
const hp = new Holdpoint({ url: server, key });
const { id: thread } = await hp.createThread({ title: 'Order 1042' });
const page = readFileSync(new URL('page.html', import.meta.url), 'utf8');

const http = createServer(async (_request, response) => {
  // A page never has an API key. Your backend knows the signed-in user and mints a token for that user.
  const { token } = await hp.mintResponderToken({ responderId: 'mia', threadId: thread, ttlSeconds: 3_600 });
  const given: Record<string, string> = { server, thread, token };
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => given[name] ?? ''));
});
http.listen(Number(PORT), () => console.log(`open http://127.0.0.1:${(http.address() as AddressInfo).port}`));

const outcome = await hp.ask(
  thread,
  form(
    {
      icing: radio(['Vanilla', 'Raspberry', 'None']),
      writing: text({ label: 'What shall we write on it?', maxLength: 30, required: false }),
      pickUp: time({ label: 'When do you come on Saturday?', min: '08:00', max: '14:00' }),
    },
    { title: 'How would you like your cake?', submitLabel: 'Bake it' },
  ),
);
if (outcome.status === 'answered') console.log('baking', outcome.values);
else console.log(`not baking: ${outcome.status}`);
