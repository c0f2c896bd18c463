/** A backend that does not wait: it asks, responds to its own caller at once, and receives a webhook after the decision. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { approval, approvalOf, Holdpoint, number, outcomeOf } from '@holdpoint/client';
import { verifyWebhook } from '@holdpoint/client/verify';

const { HOLDPOINT_URL: url = '', HOLDPOINT_API_KEY: key = '', PORT = '8080' } = process.env;
const hp = new Holdpoint({ url, key });
const thread = await hp.createThread({ title: 'Refunds' });
const booked = new Set<string>(); // use a table with a unique key

/** POST /refunds: a customer wants a refund. */
async function askForRefund(request: IncomingMessage): Promise<number> {
  const { order, amount } = JSON.parse(await text(request)) as { order: string; amount: number };
  const question = approval({
    title: `Refund order ${order}?`,
    arguments: { order, amount },
    fields: { amount: number({ min: 1, max: amount, label: 'Amount in €' }) },
  });
  await hp.create(thread, question, { idempotencyKey: `${thread.id}-${order}` });
  return 202;
}

/** POST /holdpoint: a person has decided. An event may arrive twice. */
async function takeDecision(request: IncomingMessage): Promise<number> {
  const { data } = await verifyWebhook({ body: await text(request), headers: request.headers, secret });
  const interaction = await hp.get(String(data.interactionId));
  const { approved, arguments: refund } = approvalOf(outcomeOf(interaction));
  if (approved && !booked.has(interaction.id)) console.log(`refunded ${refund.amount} € for order ${refund.order}`);
  booked.add(interaction.id);
  return 204;
}

const routes: Record<string, typeof askForRefund> = { '/refunds': askForRefund, '/holdpoint': takeDecision };

const server = createServer(async (request, response) => {
  const route = routes[request.url ?? ''] ?? (async () => 404);
  const status = await route(request).catch((error: Error) => (error.name === 'WebhookNotVerified' ? 400 : 500));
  response.writeHead(status).end();
});
await new Promise<void>((resolve) => server.listen(Number(PORT), resolve));

// If your address stays the same, register once by hand and read the secret from the environment.
const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { secret = '' } = await hp.createWebhook({
  url: `${here}/holdpoint`,
  threadId: thread.id,
  events: ['interaction.answered', 'interaction.declined', 'interaction.expired'],
});
console.log(`ready at ${here}`);
