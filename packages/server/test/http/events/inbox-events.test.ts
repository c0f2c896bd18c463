/** Following an inbox: what names a person, in any thread, as it happens. */
import { afterAll, expect, test } from 'vitest';
import { startSpecServer } from '../openapi/spec-server.ts';
import { EventReader } from './event-reader.ts';

const server = await startSpecServer({ responderRateLimit: 100_000 });
const { admin } = server;
afterAll(() => server[Symbol.asyncDispose]());

let people = 0;
const newPerson = () => `person-${people++}`;
const assigned = (...assignees: string[]) => ({ responder: { type: 'human', assignees } });
const inboxOf = (responderId: string) => admin.withToken({ inbox: true, responderId });
/** The events that a reader received, without the parts that no test compares. */
const received = async (reader: EventReader, count: number) =>
  (await reader.take(count)).map(({ type, interactionId }) => `${type} ${interactionId}`);

test('[X8] a reader of an inbox gets only the events that name its person, of any thread', async () => {
  const [ada, bob] = [newPerson(), newPerson()];
  const early = await admin.ask(assigned(ada));
  const hers = await EventReader.open(await inboxOf(ada));
  const his = await EventReader.open(await inboxOf(bob));
  const [one, other] = [await admin.ask(assigned(ada)), await admin.ask(assigned(bob))];
  const both = await admin.ask(assigned(ada, bob), one.threadId);
  await admin.ask();
  await admin.made(`/v1/threads/${one.threadId}/messages`, { text: 'not for an inbox' });
  await admin.patch(`/v1/interactions/${early.id}`, { title: 'Another title' });
  for (const { id } of [one, other, both]) await admin.post(`/v1/interactions/${id}/cancel`);
  expect(await received(hers, 5)).toEqual([
    `interaction.created ${one.id}`,
    `interaction.created ${both.id}`,
    `interaction.updated ${early.id}`,
    `interaction.cancelled ${one.id}`,
    `interaction.cancelled ${both.id}`,
  ]);
  expect(await received(his, 4)).toEqual([
    `interaction.created ${other.id}`,
    `interaction.created ${both.id}`,
    `interaction.cancelled ${other.id}`,
    `interaction.cancelled ${both.id}`,
  ]);
  expect([hers.left, his.left]).toEqual([[], []]);
  await Promise.all([hers.close(), his.close()]);
});

test('[X8] only the requested types are sent', async () => {
  const ada = newPerson();
  const reader = await EventReader.open(await inboxOf(ada), '/v1/events?types=interaction.cancelled');
  const { id } = await admin.ask(assigned(ada));
  await admin.post(`/v1/interactions/${id}/cancel`);
  expect(await received(reader, 1)).toEqual([`interaction.cancelled ${id}`]);
  await reader.close();
});

test('[X8] it begins now: no cursor is given or taken, and a thread does not exist for it', async () => {
  const ada = newPerson();
  const { threadId } = await admin.ask(assigned(ada));
  const client = await inboxOf(ada);
  for (const after of ['start', '0000000000000000'])
    expect((await client.get(`/v1/events?after=${after}`)).body).toMatchObject({ code: 'forbidden' });
  expect((await client.get(`/v1/events?threadId=${threadId}`)).status).toBe(404);
  const reader = await EventReader.open(client);
  await admin.ask(assigned(ada));
  await reader.take(1);
  expect(reader.lastId).toBe('');
  await reader.close();
});

test('[X8] the same name in another org gets nothing', async () => {
  const ada = newPerson();
  const org = await admin.withOrg(`org-${ada}`);
  const elsewhere = await EventReader.open(await org.withToken({ inbox: true, responderId: ada }));
  await admin.ask(assigned(ada));
  const { id } = await org.ask(assigned(ada));
  expect(await received(elsewhere, 1)).toEqual([`interaction.created ${id}`]);
  expect(elsewhere.left).toEqual([]);
  await elsewhere.close();
});

test('[X8] a question that is escalated to a person is sent to that person from then on', async () => {
  const [ada, bob] = [newPerson(), newPerson()];
  const his = await EventReader.open(await inboxOf(bob));
  const hour = 3_600_000;
  const escalations = [{ at: new Date(server.clock.now() + hour).toISOString(), assignees: [bob] }];
  const { id } = await admin.ask({ ...assigned(ada), escalations });
  await admin.patch(`/v1/interactions/${id}`, { title: 'Before he was asked' });
  server.clock.offsetMs += hour;
  expect(await received(his, 1)).toEqual([`interaction.escalated ${id}`]);
  await admin.post(`/v1/interactions/${id}/cancel`);
  expect(await received(his, 1)).toEqual([`interaction.cancelled ${id}`]);
  await his.close();
});
