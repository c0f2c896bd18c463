/** Creates chats, requests and messages on any server of this protocol, for the cases about chats. */
import { expectStatus } from '../../case.ts';
import type { Reply, World } from '../../world.ts';

interface Actors {
  agentId: string;
  modelId: string;
}

const known = new WeakMap<World, Promise<Actors>>();

/** Finds an agent and a model, because some servers accept only configured ones. */
export function actorsOf(world: World): Promise<Actors> {
  const find = ({ body: { agents, models } }: Reply) => {
    return { agentId: agents?.[0]?.id ?? 'agent-1', modelId: models?.[0]?.id ?? 'model-1' };
  };
  const actors = known.get(world) ?? world.get('/api/v1/config').then(find);
  known.set(world, actors);
  return actors;
}

export async function newChat(world: World, more: object = {}, key = world.key): Promise<string> {
  const { agentId, modelId } = await actorsOf(world);
  return (await world.made('/api/v1/chats', { agentIds: [agentId], modelId, ...more }, { key })).id;
}

export const choice = { type: 'choice', title: 'Deploy?', config: { options: [{ id: 'yes', label: 'Yes' }] } };

export const ask = async (world: World, request: object = choice) =>
  world.made(`/api/v1/chats/${await newChat(world)}/requests`, request);

export const resolve = (world: World, id: string, payload: object, options = {}): Promise<Reply> =>
  world.post(`/api/v1/requests/${id}/resolve`, payload, options);

/** Makes a call without a body. */
export const doing = (world: World, path: string): Promise<Reply> => world.call(path, { method: 'POST' });

export const say = async (world: World, chatId: string, more: object, key = world.key) =>
  world.made(`/api/v1/chats/${chatId}/messages`, { role: 'user', senderId: 'user:primary', ...more }, { key });

export async function sayAsAgent(world: World, chatId: string, more: object) {
  const { agentId } = await actorsOf(world);
  return say(world, chatId, { role: 'agent', senderId: agentId, ...more });
}

export const invalid = { error: { code: 'VALIDATION_ERROR' } };
export const missing = { error: { code: 'NOT_FOUND' } };
export const conflict = { error: { code: 'CONFLICT' } };

/** The expected error of a call, with the message that clients rely on. */
export const failing = (code: string, message: string) => ({ error: { code, message } });

interface Envelope {
  id: string;
  type: string;
  payload: Record<string, unknown>;
}

const ofChat = (events: readonly unknown[], chatId: string): Envelope[] =>
  (events as Envelope[]).filter(({ payload }) => payload?.chatId === chatId);

export const typesOf = (events: readonly Envelope[]): string[] => events.map(({ type }) => type);

/** Collects the events of one chat, from the start of the work until an event of this type. */
export async function eventsOfChat(
  world: World,
  { chatId, until, query = '' }: { chatId: string; until: string; query?: string },
  work: (wait: (count: number) => Promise<void>) => Promise<unknown>,
): Promise<Envelope[]> {
  const events = await world.events(
    `/api/v1/events/stream${query}`,
    (seen) => ofChat(seen, chatId).some(({ type }) => type === until),
    (wait) => work((count) => wait((seen) => ofChat(seen, chatId).length >= count)),
  );
  return ofChat(events, chatId);
}

/** Every item of a list, page by page. */
// biome-ignore lint/suspicious/noExplicitAny: the cases check what a server answers.
export async function everyPage(world: World, path: string): Promise<any[]> {
  const items: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await world.get(cursor === '' ? path : `${path}&cursor=${encodeURIComponent(cursor)}`);
    expectStatus(reply, 200);
    items.push(...reply.body.data);
    cursor = reply.body.cursor.next;
  }
  return items;
}
