import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-typescript.ts';

const { HOLDPOINT_URL: baseUrl = '', HOLDPOINT_API_KEY: key } = process.env;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

const { data: thread } = await client.POST('/v1/threads', { body: { title: 'openapi-fetch' } });
if (!thread) throw new Error('there is no thread');
const { data: asked } = await client.POST('/v1/threads/{threadId}/interactions', {
  params: { path: { threadId: thread.id }, header: { 'Idempotency-Key': 'of-openapi-fetch' } },
  body: { title: 'Where?', fields: [{ name: 'env', type: 'select', options: ['staging', 'production'] }] },
});
if (!asked) throw new Error('there is no question');
const { data: answered } = await client.POST('/v1/interactions/{interactionId}/answers', {
  params: { path: { interactionId: asked.id } },
  body: { values: { env: 'staging' } },
});
const { data: listed } = await client.GET('/v1/interactions', {
  params: { query: { threadId: thread.id, status: 'answered', limit: 10 } },
});
const { error } = await client.GET('/v1/interactions/{interactionId}', { params: { path: { interactionId: 'none' } } });
process.stdout.write(JSON.stringify([answered?.answer?.values, listed?.data.length, error?.code]));
