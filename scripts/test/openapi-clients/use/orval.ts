import { createInteraction, createThread, getInteraction, listInteractions, submitAnswer } from '../generated/orval.ts';

const headers = { authorization: `Bearer ${process.env.HOLDPOINT_API_KEY}` };

const thread = await createThread({ title: 'Orval' }, { headers });
if (thread.status !== 201) throw new Error('there is no thread');
const asked = await createInteraction(
  thread.data.id,
  { title: 'Where?', fields: [{ name: 'env', type: 'select', options: ['staging', 'production'] }] },
  { headers: { ...headers, 'idempotency-key': 'of-orval' } },
);
if (asked.status !== 201) throw new Error('there is no question');
const answered = await submitAnswer(asked.data.id, { values: { env: 'staging' } }, { headers });
if (answered.status !== 200) throw new Error('there is no answer');
const listed = await listInteractions({ threadId: thread.data.id, status: 'answered', limit: 10 }, { headers });
if (listed.status !== 200) throw new Error('there is no list');
const none = await getInteraction('none', { headers });
const code = none.status === 200 ? undefined : none.data.code;
process.stdout.write(JSON.stringify([answered.data.answer?.values, listed.data.data.length, code]));
