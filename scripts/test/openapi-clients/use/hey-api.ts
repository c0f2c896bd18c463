import { createInteraction, createThread, getInteraction, listInteractions, submitAnswer } from '../generated/hey-api';
import { client } from '../generated/hey-api/client.gen';

const { HOLDPOINT_URL: baseUrl = '', HOLDPOINT_API_KEY: key = '' } = process.env;
client.setConfig({ baseUrl, auth: key });

const { data: thread } = await createThread({ body: { title: 'Hey API' }, throwOnError: true });
const { data: asked } = await createInteraction({
  path: { threadId: thread.id },
  headers: { 'Idempotency-Key': 'of-hey-api' },
  body: { title: 'Where?', fields: [{ name: 'env', type: 'select', options: ['staging', 'production'] }] },
  throwOnError: true,
});
const { data: answered } = await submitAnswer({
  path: { interactionId: asked.id },
  body: { values: { env: 'staging' } },
  throwOnError: true,
});
const query = { threadId: thread.id, status: 'answered', limit: 10 } as const;
const { data: listed } = await listInteractions({ query, throwOnError: true });
const { error } = await getInteraction({ path: { interactionId: 'none' } });
process.stdout.write(JSON.stringify([answered.answer?.values, listed.data.length, error?.code]));
