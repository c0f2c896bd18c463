// Asks for an approval with an argument that the person may change. It needs only fetch.
const { HOLDPOINT_URL, HOLDPOINT_AGENT_KEY } = process.env;

async function call(path, body) {
  const headers = { authorization: `Bearer ${HOLDPOINT_AGENT_KEY}`, 'content-type': 'application/json' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const reply = await fetch(`${HOLDPOINT_URL}/v1/${path}`, request);
  if (!reply.ok) throw new Error(await reply.text());
  return reply.json();
}

const thread = await call('threads', { title: 'Releases' });
let question = await call(`threads/${thread.id}/interactions`, {
  kind: 'approval',
  title: 'Roll out 4.2?',
  arguments: { version: '4.2', percent: 10 },
  fields: [{ name: 'percent', type: 'number', label: 'Share of traffic', min: 1, max: 100, integer: true }],
});

while (question.status === 'pending') question = await call(`interactions/${question.id}/wait`);

const { decision, values, reason } = question.answer ?? {};
if (decision === 'accepted') console.log(`rolling out 4.2 to ${values.percent} % of the traffic`);
else console.log(`not rolling out: ${reason ?? question.status}`);
