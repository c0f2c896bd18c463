/** A Hono app with Holdpoint in it: its own route asks, and the API, the links and the console are at the same address. */
import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { createHoldpoint } from 'holdpoint';
import { Hono } from 'hono';

const { PORT = '8080', DATA = './data', HOLDPOINT_API_KEY: adminKey } = process.env;
const hp = await createHoldpoint({ data: DATA, adminKey });
const thread = await hp.createThread({ title: 'Releases', idempotencyKey: 'releases' });
const app = new Hono();

app.get('/', (c) => c.text('An app of its own. The console of Holdpoint is at /console.'));

/** Asks for an approval, and answers its own caller with the link for the person who decides. */
app.post('/deploy/:version', async (c) => {
  const version = c.req.param('version');
  const question = { title: `Deploy ${version}?`, kind: 'approval', arguments: { version } } as const;
  const { id } = await hp.create(thread, question, { idempotencyKey: `deploy-${version}` });
  hp.wait(id).then(({ answer }) => console.log(`${version}: ${answer?.decision ?? 'not decided'}`));
  const { token } = await hp.mintResponderToken({ responderId: 'sam', interactionId: id });
  return c.json({ link: `/a/#${token}` }, 202);
});

// Last: what the app has no route for is Holdpoint's.
app.all('*', (c) => hp.fetch(c.req.raw, { address: getConnInfo(c).remote.address }));

serve({ fetch: app.fetch, port: Number(PORT), overrideGlobalObjects: false }, ({ port }) => {
  console.log(`ready at http://127.0.0.1:${port}`);
});
