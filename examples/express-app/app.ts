/** An Express app with Holdpoint in it: its own route asks, and the API, the links and the console are at the same address. */
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { createHoldpoint } from 'holdpoint';

const { PORT = '8080', DATA = './data', HOLDPOINT_API_KEY: adminKey } = process.env;
const hp = await createHoldpoint({ data: DATA, adminKey });
const thread = await hp.createThread({ title: 'Releases', idempotencyKey: 'releases' });
const app = express();

app.get('/', (_request, response) => {
  response.send('An app of its own. The console of Holdpoint is at /console.');
});

/** Asks for an approval, and responds with the link for the person who decides. */
app.post('/deploy/:version', async ({ params: { version } }, response) => {
  const question = { title: `Deploy ${version}?`, kind: 'approval', arguments: { version } } as const;
  const { id } = await hp.create(thread, question, { idempotencyKey: `deploy-${version}` });
  hp.wait(id).then(({ answer }) => console.log(`${version}: ${answer?.decision ?? 'not decided'}`));
  const { token } = await hp.mintResponderToken({ responderId: 'sam', interactionId: id });
  response.status(202).json({ link: `/a/#${token}` });
});

// Last, without a body parser in front: Holdpoint serves all paths that the app does not use.
app.use(
  getRequestListener((request, { incoming }) => hp.fetch(request, { address: incoming.socket.remoteAddress }), {
    overrideGlobalObjects: false,
  }),
);

const server = app.listen(Number(PORT), () => {
  console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
